import type { AuthConfig } from "../service/auth-config.ts";
import { issuerOf } from "./issuer.ts";

/**
 * The application's redirect URI with the response in its query. `iss` identifies this server, so that an application
 * that uses several cannot mix them up (RFC 9207).
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
