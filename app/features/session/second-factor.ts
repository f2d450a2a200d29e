import type { Session } from "@supabase/supabase-js";

/** Whether a session has one factor although the account has a second one (P25). */
export function owesSecondFactor(session: Session | null): boolean {
  return session !== null && listVerifiedFactors(session).length > 0 && claimsOf(session).aal === "aal1";
}

/** The factors that a sign-in may ask for. */
export function listVerifiedFactors({ user }: Pick<Session, "user">) {
  return user.factors?.filter(({ status }) => status === "verified") ?? [];
}

type Claims = {
  /** The authenticator assurance level. */
  aal?: unknown;
  amr?: { timestamp: number }[];
  session_id?: string;
};

/** The access token's claims, unverified; only the backend can verify them. */
export function claimsOf({ access_token }: Session): Claims {
  const payload = access_token.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}
