import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** The `iss` of all tokens and the `issuer` of the server's metadata. */
export function issuerOf({ issuer, externalUrl }: Pick<AuthConfig, "issuer" | "externalUrl">): string {
  return issuer ?? externalUrl;
}

/** Whether applications can verify signatures; not with a symmetric key, which only the services have. */
export function mayIdentify({ algorithm }: TokenSigner): boolean {
  return !algorithm.startsWith("HS");
}
