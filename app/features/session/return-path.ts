/** The navigation state of a link to /auth that should lead back after signing in. */
export type ReturnState = { returnTo: string };

/**
 * Where signing in leads: home (2.auth.05), or back to a trade to be saved or sent to the chat (P94), or to the
 * application that requests authorization. Only pages that ask for it, so that no external link chooses the target.
 */
export function returnPath(state: unknown): string {
  const path = (state as Partial<ReturnState> | null)?.returnTo;
  return typeof path === "string" && /^\/(calculator|chat|oauth\/consent)(\?|$)/.test(path) ? path : "/";
}
