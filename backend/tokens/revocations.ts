/** What is known of sessions that ended and accounts that were banned before their tokens' time was up. */
export type Revocations = {
  /** Whether the session, or the whole account, of these claims is revoked. */
  has(claims: Record<string, unknown>): boolean;
  /** Whether what is known is up to date. */
  isCurrent(): boolean;
  /** Brings it up to date; rejects with `DatabaseUnavailableError` where that cannot be done. */
  refresh(): Promise<void>;
  /** Whether it could not be brought up to date for several seconds. */
  isLost(): boolean;
};

/** Where nobody keeps sessions: every token holds until its time is up. */
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
