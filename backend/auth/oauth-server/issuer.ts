import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** Who says it: the name in every token and in the server's description of itself. */
export function issuerOf({ issuer, externalUrl }: Pick<AuthConfig, "issuer" | "externalUrl">): string {
  return issuer ?? externalUrl;
}

/** Whether applications can verify what is signed: not where a secret of the services alone signs. */
export function mayIdentify({ algorithm }: TokenSigner): boolean {
  return !algorithm.startsWith("HS");
}
