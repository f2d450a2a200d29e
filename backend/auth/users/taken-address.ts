import type { Query } from "#backend/postgres/database.ts";
import { type Act, about, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { endPending } from "./delete-credentials.ts";
import { listProviders } from "./identity-row.ts";
import { isAddressProved } from "./proved-address.ts";
import { findUser, lockUser } from "./user-row.ts";

export function emailExists(): AuthError {
  return new AuthError(422, "email_exists", "A user with this email address has already been registered");
}

export function phoneExists(): AuthError {
  return new AuthError(422, "phone_exists", "A user with this phone number has already been registered");
}

/** @throws AuthError 422 if another account has the address or number */
export async function refuseTaken(
  query: Query,
  { email = null, phone = null }: { email?: string | null; phone?: string | null },
): Promise<void> {
  if (email && (await findUser(query, "email", email))) throw emailExists();
  if (phone && (await findUser(query, "phone", phone))) throw phoneExists();
}

/**
 * Frees an address or number for the account it belongs to: anyone may have signed up with it, but has no claim to it
 * without having proved it. Resolves with whether it is free now.
 */
export async function freeUnproved(
  query: Query,
  by: "email" | "phone",
  address: string,
  { config, act }: { config: Pick<AuthConfig, "mailerAutoconfirm">; act: Act },
): Promise<boolean> {
  const found = await findUser(query, by, address);
  if (!found) return true;
  await lockUser(query, found.id);
  const holder = await findUser(query, by, address);
  if (!holder) return true;
  if (by === "email" ? isAddressProved(holder, config) : holder.phone_confirmed_at != null) return false;
  const traits = { ...act.traits, ...about(holder) };
  await dropAddress(query, holder.id, by, { ...act, traits });
  await closeUnreachable(query, holder.id);
  return true;
}

/**
 * Nobody can sign in to an account without address, identity and passkey: its sessions end, and its password must not
 * open it once an operator gives it an address, which may be another user's.
 */
async function closeUnreachable(query: Query, id: string): Promise<void> {
  const [closed] = await query(
    `update auth.users set encrypted_password = null, updated_at = now()
     where id = $1 and email is null and phone is null
       and not exists (select from auth.identities where user_id = $1)
       and not exists (select from auth.webauthn_credentials where user_id = $1)
     returning id`,
    [id],
  );
  if (closed) await endPending(query, id);
}

/** Leaves the account without an address or number, and without codes sent there. */
export async function dropAddress(
  query: Query,
  id: string,
  by: "email" | "phone",
  act: Act | null,
): Promise<void> {
  await query(
    `delete from auth.one_time_tokens where user_id = $1 and relates_to = (select ${by} from auth.users where id = $1)`,
    [id],
  );
  await query("delete from auth.identities where user_id = $1 and provider = $2", [id, by]);
  const text = `update auth.users set ${by} = null, ${by}_confirmed_at = null, updated_at = now() where id = $1`;
  await query(...recorded(act, text, [id]));
  await listProviders(query, id);
}
