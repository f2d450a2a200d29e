/** What a link to /auth carries as its state when signing in should lead back. */
export type ReturnState = { returnTo: string };

/**
 * Where signing in leads: home (2.auth.05), or back to the trade that somebody wanted to save or to send to the chat (P94),
 * or to the application that asks to be let in. Only to a page that asks for it, so that no link from elsewhere chooses it.
 */
export function returnPath(state: unknown): string {
  const path = (state as Partial<ReturnState> | null)?.returnTo;
  return typeof path === "string" && /^\/(calculator|chat|oauth\/consent)(\?|$)/.test(path) ? path : "/";
}
