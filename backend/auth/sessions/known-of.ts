import type { UserRow } from "../users/user-row.ts";
import { parseScopes, type Scope } from "./scopes.ts";
import type { SessionRow } from "./session-row.ts";

export type Known = { email: string; phone: string; user_metadata: Record<string, unknown> };

/** Members of a person's metadata in which ways to sign in leave addresses. */
const ADDRESSES: Record<"email" | "phone", string[]> = {
  email: ["email", "email_verified"],
  phone: ["phone", "phone_verified"],
};

/** Whether a session may know so much of its person: their own knows all, an application's what it was granted. */
export function mayKnow({ oauth_client_id: application, scopes }: SessionRow, scope: Scope): boolean {
  return application == null || parseScopes(scopes ?? "").includes(scope);
}

/** What tokens and answers of a session say of its person. */
export function knownOf(user: UserRow, session: SessionRow): Known {
  const metadata = mayKnow(session, "profile") ? JSON.parse(user.raw_user_meta_data ?? "{}") : {};
  for (const [scope, members] of Object.entries(ADDRESSES)) {
    if (mayKnow(session, scope as Scope)) continue;
    for (const member of members) delete metadata[member];
  }
  return {
    email: (mayKnow(session, "email") && user.email) || "",
    phone: (mayKnow(session, "phone") && user.phone) || "",
    user_metadata: metadata,
  };
}
