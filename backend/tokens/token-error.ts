import type { Identity } from "./identity.ts";

/** What is wrong with a token; each service answers with a code of its own. */
export type TokenFault =
  /** There is nothing to check signatures with. */
  | "no key"
  | "malformed"
  | "signature"
  /** It belongs to a session that has ended, or to a banned account. */
  | "revoked"
  /** There is none, and one is needed. */
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

/** The token is good, but its session has ended or its account was banned. */
export class RevokedTokenError extends TokenError {
  override name = "RevokedTokenError";
  readonly identity: Identity;

  constructor(identity: Identity) {
    super("revoked", "JWT revoked");
    this.identity = identity;
  }
}
