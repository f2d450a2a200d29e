import { DatabaseError, type Query } from "#backend/postgres/database.ts";
import { type Act, type Actor, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { requireSms, textCode } from "../phone/text-code.ts";
import { findUser, type UserRow } from "./user-row.ts";

export function phoneExists(): AuthError {
  return new AuthError(422, "phone_exists", "A user with this phone number has already been registered");
}

/** Sends a code to the new number; the account has it when the code comes back. At once where nothing is confirmed. */
export async function requestPhoneChange(
  service: AuthService,
  user: UserRow,
  newPhone: string,
  actor: Actor,
): Promise<void> {
  const { database, config, limits } = service;
  if (config.smsAutoconfirm) {
    if (!config.phoneEnabled) requireSms(service, newPhone);
    if (await findUser(database.query, "phone", newPhone)) throw phoneExists();
    const act: Act = { action: "user_modified", actor };
    return database.transaction((query) => applyPhone(query, user.id, newPhone, act));
  }
  requireSms(service, newPhone);
  // Whatever the number is, so that nobody sends messages to a list of strangers, or asks which of them are here.
  await limits.take("accountSms", user.id);
  if (await findUser(database.query, "phone", newPhone)) throw phoneExists();
  await limits.take("accountSms", newPhone);
  await database.query("update auth.users set phone_change = $2, updated_at = now() where id = $1", [
    user.id,
    newPhone,
  ]);
  await textCode(service, user, { actor, tokenType: "phone_change_token", phone: newPhone });
}

/** @throws AuthError 422 when somebody took the number meanwhile */
export async function applyPhone(query: Query, userId: string, phone: string, act: Act): Promise<void> {
  const text = `
    update auth.users set phone = $2, phone_change = '', phone_confirmed_at = now(), updated_at = now()
    where id = $1`;
  await query(...recorded(act, text, [userId, phone])).catch((cause) => {
    if (cause instanceof DatabaseError && cause.code === "23505") throw phoneExists();
    throw cause;
  });
  // What was sent to the number before opens this account no longer.
  await query("delete from auth.one_time_tokens where user_id = $1 and relates_to <> $2", [userId, phone]);
  await query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::text, ($1::text)::uuid, jsonb_build_object('sub', $1::text, 'phone', $2::text, 'phone_verified', true), 'phone', now(), now(), now())
     on conflict (provider_id, provider) do update set updated_at = now(),
       identity_data = auth.identities.identity_data || excluded.identity_data`,
    [userId, phone],
  );
}
