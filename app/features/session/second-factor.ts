import type { Session } from "@supabase/supabase-js";

/** Whether a session came by one factor alone, although the account has a second one (P25). */
export function owesSecondFactor(session: Session | null): boolean {
  return session !== null && listVerifiedFactors(session).length > 0 && levelOf(session) === "aal1";
}

/** The factors that a sign-in may ask for. */
export function listVerifiedFactors({ user }: Pick<Session, "user">) {
  return user.factors?.filter(({ status }) => status === "verified") ?? [];
}

/** The authenticator assurance level that the access token claims. */
function levelOf(session: Session): unknown {
  return claimsOf(session).aal;
}

/** What the access token says; only the backend can tell whether it is true. */
export function claimsOf({ access_token }: Session): { aal?: unknown; amr?: { timestamp: number }[] } {
  const payload = access_token.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}
