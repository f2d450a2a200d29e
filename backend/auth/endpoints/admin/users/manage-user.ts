import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { type Act, about, recorded } from "../../../audit/recorded.ts";
import { AuthError } from "../../../auth-error.ts";
import { refuseWeak } from "../../../passwords/password-policy.ts";
import type { Reply } from "../../../requests/call.ts";
import { flag, readBody } from "../../../requests/read-body.ts";
import type { AdminCall } from "../../../requests/require-admin.ts";
import { isUuid } from "../../../requests/uuid.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { readEmail, readPhone } from "../../../users/address.ts";
import { changeAddress, confirmIdentity } from "../../../users/change-address.ts";
import { deleteCredentials, endPending, forgetOwner } from "../../../users/delete-credentials.ts";
import { mergedInto } from "../../../users/metadata.ts";
import { refuseTaken } from "../../../users/taken-address.ts";
import { toUserJson } from "../../../users/user-json.ts";
import { findUser, type UserRow } from "../../../users/user-row.ts";
import { ban } from "./create-user.ts";
import { passwordHashOf, readBanSeconds, UserFields } from "./user-fields.ts";

/** GET /admin/users/{id} */
export async function getAccount(call: AdminCall, service: AuthService): Promise<Reply> {
  return { status: 200, body: toUserJson(await requireAccount(call, service)) };
}

/** @throws AuthError 404 if the id is unknown or malformed */
export async function requireAccount(call: AdminCall, service: AuthService): Promise<UserRow> {
  const { id = "" } = call.params;
  if (!isUuid(id)) throw new AuthError(404, "validation_failed", "user_id must be an UUID");
  const user = await findUser(service.database.query, "id", id);
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}

/** PUT /admin/users/{id}: changes the fields in the body, without confirmation. */
export async function changeAccount(call: AdminCall, service: AuthService): Promise<Reply> {
  const user = await requireAccount(call, service);
  const fields = readBody(call.request, UserFields);
  const email = fields.email === "" ? null : readEmail(fields.email);
  const phone = fields.phone === "" ? null : readPhone(fields.phone);
  const banSeconds = readBanSeconds(fields.ban_duration);
  if (fields.password != null) {
    await refuseWeak(fields.password, service, [email ?? user.email, phone ?? user.phone]);
  }
  const passwordHash = await passwordHashOf(fields, service);
  const changed = await service.database.transaction(async (query) => {
    await setAddresses(query, user, fields, { email, phone });
    const act: Act = { action: "user_modified", actor: call.operator, traits: about(user) };
    await setFields(query, user.id, fields, passwordHash, act);
    if (passwordHash) await endPending(query, user.id);
    if (banSeconds !== null) await ban(query, user.id, banSeconds);
    return (await findUser(query, "id", user.id)) as UserRow;
  });
  return { status: 200, body: toUserJson(changed) };
}

/** Both ways alike: the identity follows, and codes sent to the former address no longer open the account. */
async function setAddresses(
  query: Query,
  user: UserRow,
  fields: UserFields,
  asked: { email: string | null; phone: string | null },
): Promise<void> {
  const changed = {
    email: asked.email === user.email ? null : asked.email,
    phone: asked.phone === user.phone ? null : asked.phone,
  };
  await refuseTaken(query, changed);
  for (const by of ["email", "phone"] as const) {
    const address = changed[by];
    // An operator's correction confirms no sign-up, whose password may be a stranger's.
    const isConfirmed = fields[`${by}_confirm`] || user[`${by}_confirmed_at`] != null;
    if (address !== null)
      await changeAddress(query, user.id, by, address, null, isConfirmed ? "proved" : "unconfirmed");
    else if (fields[`${by}_confirm`]) await confirmIdentity(query, user.id, by);
  }
}

async function setFields(
  query: Query,
  userId: string,
  fields: UserFields,
  passwordHash: string | null,
  act: Act,
): Promise<void> {
  const [text, values] = recorded(
    act,
    `update auth.users set updated_at = now(),
       encrypted_password = coalesce($2, encrypted_password),
       role = coalesce(nullif($3, ''), role),
       raw_user_meta_data = ${mergedInto("raw_user_meta_data", "$4")},
       raw_app_meta_data = ${mergedInto("raw_app_meta_data", "$5")},
       email_confirmed_at = case when $6 then coalesce(email_confirmed_at, now()) else email_confirmed_at end,
       phone_confirmed_at = case when $7 then coalesce(phone_confirmed_at, now()) else phone_confirmed_at end
     where id = $1`,
    [
      userId,
      passwordHash,
      fields.role,
      JSON.stringify(fields.user_metadata ?? {}),
      JSON.stringify(fields.app_metadata ?? {}),
      String(fields.email_confirm),
      String(fields.phone_confirm),
    ],
  );
  await query(text, values);
}

const Removal = v.object({ should_soft_delete: flag });

/**
 * DELETE /admin/users/{id}: deletes the account with all dependent rows. `should_soft_delete` keeps the row, so that
 * references to it stay valid, but removes everything that identifies the user.
 */
export async function deleteAccount(call: AdminCall, service: AuthService): Promise<Reply> {
  const user = await requireAccount(call, service);
  const { should_soft_delete: soft } = readBody(call.request, Removal, { isOptional: true });
  const act: Act = { action: "user_deleted", actor: call.operator, traits: about(user) };
  await service.database.transaction(async (query) => {
    // First: triggers of the project on a deleted account still find its identities.
    await query(...recorded(act, soft ? anonymize : "delete from auth.users where id = $1", [user.id]));
    if (soft) await deleteCredentials(query, user.id);
    if (soft && service.own.areKept) await forgetOwner(query, user.id);
  });
  return { status: 200, body: {} };
}

const anonymize = `
  update auth.users set deleted_at = now(), updated_at = now(), email = null, phone = null,
    encrypted_password = null, email_change = '', phone_change = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}'
  where id = $1`;
