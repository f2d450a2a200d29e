import type { AuthConfig } from "../service/auth-config.ts";
import { issuerOf } from "./issuer.ts";

/**
 * The application's own address with the answer in its query. `iss` says who answers, so that an application with several
 * services takes none for another (RFC 9207).
 */
export function redirectBack(
  redirectUri: string,
  answer: Record<string, string | null | undefined>,
  config: Pick<AuthConfig, "issuer" | "externalUrl">,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, iss: issuerOf(config) })) {
    if (value) url.searchParams.set(name, value);
  }
  return url.href;
}
