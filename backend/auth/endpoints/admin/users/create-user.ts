import type { Query } from "#backend/postgres/database.ts";
import { about } from "../../../audit/recorded.ts";
import { validationFailed } from "../../../auth-error.ts";
import type { Reply } from "../../../requests/call.ts";
import { readBody } from "../../../requests/read-body.ts";
import type { AdminCall } from "../../../requests/require-admin.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { readEmail, readPhone } from "../../../users/address.ts";
import { allowOperators } from "../../../users/allow-user.ts";
import { createUser, type NewUser } from "../../../users/create-user.ts";
import { emailExists, refuseTaken } from "../../../users/taken-address.ts";
import { toUserJson } from "../../../users/user-json.ts";
import { findUser, type UserRow } from "../../../users/user-row.ts";
import { passwordHashOf, readBanSeconds, readId, UserFields } from "./user-fields.ts";

/** POST /admin/users: creates an account, without starting a session or sending a mail. */
export async function createAccount(call: AdminCall, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, UserFields);
  if (fields.email === "" && fields.phone === "") {
    throw validationFailed("Cannot create a user without either an email or phone");
  }
  const email = fields.email === "" ? null : readEmail(fields.email);
  const phone = fields.phone === "" ? null : readPhone(fields.phone);
  const banSeconds = readBanSeconds(fields.ban_duration);
  const passwordHash = await passwordHashOf(fields, service);
  const asked: NewUser = {
    madeBy: (user) => ({ action: "user_signedup", actor: call.operator, traits: about(user) }),
    ...(fields.id !== "" && { id: readId(fields.id) }),
    email,
    phone,
    passwordHash,
    role: fields.role,
    userMetadata: fields.user_metadata ?? {},
    appMetadata: fields.app_metadata ?? {},
    emailConfirmed: fields.email_confirm,
    phoneConfirmed: fields.phone_confirm,
  };
  const user = await service.database.transaction(async (query, run) => {
    await refuseTaken(query, { email, phone });
    const created = await createUser(run, allowOperators(service, asked, call.client), service.config);
    // The address was taken in the meantime, or the id is in use.
    if (!created) throw emailExists();
    return banSeconds === null ? created : ban(query, created.id, banSeconds);
  });
  return { status: 200, body: toUserJson(user) };
}

export async function ban(query: Query, userId: string, seconds: number): Promise<UserRow> {
  await query(
    `update auth.users set updated_at = now(),
       banned_until = case when $2::numeric > 0 then now() + make_interval(secs => $2::double precision) end
     where id = $1`,
    [userId, String(seconds)],
  );
  return (await findUser(query, "id", userId)) as UserRow;
}
