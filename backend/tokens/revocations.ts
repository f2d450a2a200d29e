/** Sessions that ended, and accounts that were banned, before their tokens expired. */
export type Revocations = {
  /** Whether the session, or the whole account, of these claims is revoked. */
  has(claims: Record<string, unknown>): boolean;
  /** Whether this is up to date. */
  isCurrent(): boolean;
  /** Brings it up to date; rejects with `DatabaseUnavailableError` where that cannot be done. */
  refresh(): Promise<void>;
  /** Whether it could not be brought up to date for several seconds. */
  isLost(): boolean;
};

/** Where no service keeps sessions: every token is valid until it expires. */
export const NO_REVOCATIONS: Revocations = {
  has: () => false,
  isCurrent: () => true,
  refresh: async () => {},
  isLost: () => false,
};

/** Only a session can be ended; keys and servers' tokens belong to none. */
export function isOfSession(claims: Record<string, unknown>): boolean {
  return typeof claims.session_id === "string";
}
