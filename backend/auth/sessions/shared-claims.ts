import type { UserRow } from "../users/user-row.ts";
import { parseScopes, type Scope } from "./scopes.ts";
import type { SessionRow } from "./session-row.ts";

export type SharedClaims = { email: string; phone: string; user_metadata: Record<string, unknown> };

/** Members of `user_metadata` in which sign-in methods store addresses. */
const ADDRESSES: Record<"email" | "phone", string[]> = {
  email: ["email", "email_verified"],
  phone: ["phone", "phone_verified"],
};

/**
 * Whether a session may see this part of its user's data: the user's own session sees all, an application's what it was
 * granted.
 */
export function isClaimAllowed({ oauth_client_id: application, scopes }: SessionRow, scope: Scope): boolean {
  return application == null || parseScopes(scopes ?? "").includes(scope);
}

/** The user's data in the tokens and responses of a session. */
export function sharedClaims(user: UserRow, session: SessionRow): SharedClaims {
  const metadata = isClaimAllowed(session, "profile") ? JSON.parse(user.raw_user_meta_data ?? "{}") : {};
  for (const [scope, members] of Object.entries(ADDRESSES)) {
    if (isClaimAllowed(session, scope as Scope)) continue;
    for (const member of members) delete metadata[member];
  }
  return {
    email: (isClaimAllowed(session, "email") && user.email) || "",
    phone: (isClaimAllowed(session, "phone") && user.phone) || "",
    user_metadata: metadata,
  };
}
