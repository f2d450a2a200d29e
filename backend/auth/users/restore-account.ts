import { hash } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { type Act, asPerson, type Origin, recorded } from "../audit/recorded.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { changeAddress } from "./change-address.ts";
import { endPending, revokeConsents } from "./delete-credentials.ts";
import { listProviders } from "./identity-row.ts";
import { UNDO_LINK_LIFETIME } from "./owner-notice.ts";
import { dropAddress, emailExists, freeUnproved } from "./taken-address.ts";
import { findUser, isBanned, lockUser, type UserRow } from "./user-row.ts";

/**
 * Returns an account to the owner of its former address: restores address and number, ends every session, removes
 * credentials added since, and clears the password. Null for an unknown or expired token.
 * @throws AuthError 422 if another account has proved by now that it has the address
 */
export async function restoreAccount(
  query: Query,
  token: string,
  { config, origin }: { config: AuthConfig; origin: Origin },
): Promise<UserRow | null> {
  const [way] = await query(
    `delete from backend.ways_back where token_hash = $1
     returning user_id, email, phone, since, made_at > now() - make_interval(secs => $2) as fresh`,
    [hash("sha256", token), String(UNDO_LINK_LIFETIME)],
  );
  if (way?.fresh !== "t") return null;
  const { user_id: id = "", email = "", since = "" } = way as Record<"user_id" | "email" | "since", string>;
  await lockUser(query, id);
  const user = await findUser(query, "id", id);
  if (!user || isBanned(user)) return null;
  const act: Act = { action: "user_modified", actor: asPerson(user, origin), traits: { way_back: true } };
  const { phone = null } = way;
  if (user.email !== email) {
    if (!(await freeUnproved(query, "email", email, { config, act }))) throw emailExists();
    await changeAddress(query, id, "email", email, act);
  }
  if ((user.phone ?? null) !== phone) {
    // The mailbox is enough, if by now another account has confirmed the number.
    if (phone !== null && (await freeUnproved(query, "phone", phone, { config, act }))) {
      await changeAddress(query, id, "phone", phone, act);
    } else await dropAddress(query, id, "phone", null);
  }
  await endPending(query, id);
  for (const table of ["webauthn_credentials", "mfa_factors"]) {
    await query(`delete from auth.${table} where user_id = $1 and created_at >= $2`, [id, since]);
  }
  await query(
    "delete from auth.identities where user_id = $1 and created_at >= $2 and provider not in ('email', 'phone')",
    [id, since],
  );
  await listProviders(query, id);
  await revokeConsents(query, id, since);
  await query("delete from backend.recovery_codes where user_id = $1 and made_at >= $2", [id, since]);
  // It is unknown which devices are the owner's. The owner, who signs in first, gets no notice; any other device
  // triggers one at its next sign-in.
  await query("delete from backend.known_devices where user_id = $1", [id]);
  // Tokens mailed to whoever held the account in the meantime; older ones stay, since one may be the owner's only
  // token.
  await query("delete from backend.ways_back where user_id = $1 and since >= $2", [id, since]);
  const text = "update auth.users set encrypted_password = null, updated_at = now() where id = $1";
  await query(...recorded(act, text, [id]));
  return findUser(query, "id", id);
}
