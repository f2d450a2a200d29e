import type { Session } from "@supabase/supabase-js";

/** Whether a session came by the password alone, although the account has a second factor (decision 25). */
export function owesSecondFactor(session: Session | null): boolean {
  return session !== null && findVerifiedFactor(session) !== undefined && levelOf(session) === "aal1";
}

/** The factor that a sign-in asks for. */
export function findVerifiedFactor({ user }: Session) {
  return user.factors?.find(({ factor_type, status }) => factor_type === "totp" && status === "verified");
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
