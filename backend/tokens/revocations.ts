/** Sessions that ended and accounts that were banned before their tokens expired. */
export type Revocations = {
  /** Whether the session or the account of these claims is revoked. */
  has(claims: Record<string, unknown>): boolean;
  /** Whether the data is up to date. */
  isCurrent(): boolean;
  /** Updates the data; rejects with `DatabaseUnavailableError` if that fails. */
  refresh(): Promise<void>;
  /** Whether updates have failed for several seconds. */
  isLost(): boolean;
};

/** For setups without a session store: every token is valid until it expires. */
export const NO_REVOCATIONS: Revocations = {
  has: () => false,
  isCurrent: () => true,
  refresh: async () => {},
  isLost: () => false,
};

/** Only sessions can be revoked; API keys and server tokens belong to none. */
export function isOfSession(claims: Record<string, unknown>): boolean {
  return typeof claims.session_id === "string";
}
