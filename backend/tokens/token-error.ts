import type { Identity } from "./identity.ts";

/** What is wrong with a token; each service maps it to its own error code. */
export type TokenFault =
  /** No key is configured to verify signatures with. */
  | "no key"
  | "malformed"
  | "signature"
  /** It belongs to a session that has ended, or to a banned account. */
  | "revoked"
  /** A token is required, but there is none. */
  | "missing"
  | "expired"
  | "claims";

export class TokenError extends Error {
  override name = "TokenError";
  readonly fault: TokenFault;
  readonly details: string | null;

  constructor(fault: TokenFault, message: string, details: string | null = null) {
    super(message);
    this.fault = fault;
    this.details = details;
  }
}

/** The token is valid, but its session has ended or its account was banned. */
export class RevokedTokenError extends TokenError {
  override name = "RevokedTokenError";
  readonly identity: Identity;

  constructor(identity: Identity) {
    super("revoked", "JWT revoked");
    this.identity = identity;
  }
}
