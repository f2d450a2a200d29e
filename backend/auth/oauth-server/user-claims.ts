import type { AuthConfig } from "../service/auth-config.ts";
import type { SessionRow } from "../sessions/session-row.ts";
import { isClaimAllowed, sharedClaims } from "../sessions/shared-claims.ts";
import { isAddressProved } from "../users/proved-address.ts";
import type { UserRow } from "../users/user-row.ts";

/** The user's claims that an application's scopes allow, under their OpenID Connect names (Core §5.1). */
export function userClaims(
  user: UserRow,
  session: SessionRow,
  config: Pick<AuthConfig, "mailerAutoconfirm">,
): Record<string, unknown> & { sub: string } {
  const { email, phone, user_metadata: metadata } = sharedClaims(user, session);
  return {
    sub: user.id,
    ...(email && { email, email_verified: isAddressProved(user, config) }),
    ...(phone && { phone_number: phone, phone_number_verified: user.phone_confirmed_at != null }),
    ...(isClaimAllowed(session, "profile") && profileClaims(user, metadata)),
  };
}

/** Never falls back to the email address as a name, since that has its own scope. */
function profileClaims(user: UserRow, metadata: Record<string, unknown>) {
  const claims = {
    name: firstText(metadata, "name", "full_name"),
    picture: firstText(metadata, "picture", "avatar_url"),
    preferred_username: firstText(metadata, "preferred_username", "username"),
    updated_at: user.updated_at == null ? null : Math.floor(Date.parse(user.updated_at) / 1000),
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

function firstText(metadata: Record<string, unknown>, ...names: string[]): string | null {
  for (const name of names) {
    const value = metadata[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}
