import { hash } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { type Act, asPerson, type Origin, recorded } from "../audit/recorded.ts";
import { changeAddress } from "./change-address.ts";
import { listProviders } from "./identity-row.ts";
import { findUser, isBanned, lockUser, type UserRow } from "./user-row.ts";
import { WAY_BACK_GOOD_FOR } from "./way-back.ts";

/**
 * Gives an account back to the owner of its former address: address and number are restored, every session ends, what
 * was added since is removed, and the password is cleared. Null for an unknown or expired token.
 * @throws AuthError 422 where another account has the address by now
 */
export async function takeWayBack(query: Query, token: string, origin: Origin): Promise<UserRow | null> {
  const [way] = await query(
    `delete from backend.ways_back where token_hash = $1
     returning user_id, email, phone, since, made_at > now() - make_interval(secs => $2) as fresh`,
    [hash("sha256", token), String(WAY_BACK_GOOD_FOR)],
  );
  if (way?.fresh !== "t") return null;
  const { user_id: id = "", email = "", since = "" } = way as Record<"user_id" | "email" | "since", string>;
  await lockUser(query, id);
  const user = await findUser(query, "id", id);
  if (!user || isBanned(user)) return null;
  const act: Act = { action: "user_modified", actor: asPerson(user, origin), traits: { way_back: true } };
  if (user.email !== email) await changeAddress(query, id, "email", email, act);
  if ((user.phone ?? null) !== (way.phone ?? null)) await restorePhone(query, user, way.phone ?? null, act);
  for (const table of ["sessions", "one_time_tokens", "flow_state"]) {
    await query(`delete from auth.${table} where user_id = $1`, [id]);
  }
  for (const table of ["webauthn_credentials", "mfa_factors"]) {
    await query(`delete from auth.${table} where user_id = $1 and created_at >= $2`, [id, since]);
  }
  await query(
    "delete from auth.identities where user_id = $1 and created_at >= $2 and provider not in ('email', 'phone')",
    [id, since],
  );
  await listProviders(query, id);
  await query("delete from backend.recovery_codes where user_id = $1 and made_at >= $2", [id, since]);
  // Nobody knows which of them are the owner's: each is told of at its next sign-in but the owner's, which comes first.
  await query("delete from backend.known_devices where user_id = $1", [id]);
  // Those mailed to whoever had the account meanwhile; an older one stays, it may be the owner's only one.
  await query("delete from backend.ways_back where user_id = $1 and since >= $2", [id, since]);
  const text = `
    update auth.users set encrypted_password = null, email_change = '', phone_change = '', updated_at = now()
    where id = $1`;
  await query(...recorded(act, text, [id]));
  return findUser(query, "id", id);
}

async function restorePhone(query: Query, user: UserRow, phone: string | null, act: Act): Promise<void> {
  if (phone !== null) return changeAddress(query, user.id, "phone", phone, act);
  await query("delete from auth.identities where user_id = $1 and provider = 'phone'", [user.id]);
  await query("update auth.users set phone = null, phone_confirmed_at = null where id = $1", [user.id]);
}
