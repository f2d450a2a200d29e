import * as v from "valibot";
import type { Query, Run } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { type CodeKind, prepareCode } from "../../one-time-codes/mail-code.ts";
import { refuseWeak } from "../../passwords/password-policy.ts";
import type { Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { isAllowed, readRedirect } from "../../requests/redirect.ts";
import type { AdminCall } from "../../requests/require-admin.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { readEmail } from "../../users/address.ts";
import { allowUser } from "../../users/allow-user.ts";
import { type AllowedUser, createUser } from "../../users/create-user.ts";
import { metadata, replaceUnconfirmedMetadata } from "../../users/metadata.ts";
import { emailExists, refuseTaken } from "../../users/taken-address.ts";
import { toUserJson } from "../../users/user-json.ts";
import { findUser, isConfirmed, replaceUnprovedPassword, type UserRow } from "../../users/user-row.ts";

const Body = v.object({
  type: text,
  email: text,
  new_email: text,
  password: text,
  data: metadata,
  redirect_to: text,
});
type Fields = v.InferOutput<typeof Body>;
type Wanted = { email: string; passwordHash: string | null; userMetadata: Record<string, unknown> };

const KINDS: ReadonlySet<string> = new Set([
  "signup",
  "invite",
  "magiclink",
  "recovery",
  "email_change_current",
  "email_change_new",
] satisfies CodeKind[]);

const CREATING: ReadonlySet<string> = new Set(["signup", "invite", "magiclink"] satisfies CodeKind[]);

/** POST /admin/generate_link: returns what a mail would contain, for servers that send their own mails. */
export async function generateLink(call: AdminCall, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, Body);
  if (!KINDS.has(fields.type)) {
    throw validationFailed(`Invalid email action link type requested: ${fields.type.slice(0, 50)}`);
  }
  const email = readEmail(fields.email);
  const { redirect_to: asked } = fields;
  const redirectTo = isAllowed(asked, service.config) ? asked : readRedirect(call, service.config);
  const passwordHash = await hashFor(fields, service);
  const wanted = {
    email,
    passwordHash,
    userMetadata: fields.data ?? {},
    invited: fields.type === "invite",
  };
  const isNew = CREATING.has(fields.type) && !(await findUser(service.database.query, "email", email));
  const allowed = isNew ? await allowUser(service, wanted, call.client) : null;
  const body = await service.database.transaction(async (query, run) => {
    const user = await findOrCreate(service, [query, run], fields, wanted, allowed);
    const address = await addressFor(query, fields, user, email);
    const { code, token, link } = await prepareCode(service, query, {
      kind: fields.type as CodeKind,
      user,
      actor: call.operator,
      address,
      redirectTo,
    });
    const now = (await findUser(query, "id", user.id)) as UserRow;
    return {
      ...toUserJson(now),
      action_link: link,
      email_otp: code,
      hashed_token: token,
      verification_type: fields.type,
      redirect_to: redirectTo,
    };
  });
  return { status: 200, body };
}

async function hashFor({ type, email, password }: Fields, service: AuthService): Promise<string | null> {
  if (type !== "signup") return null;
  if (password === "") throw validationFailed("Signup requires a valid password");
  await refuseWeak(password, service, [email.trim()]);
  return service.passwords.hash(password);
}

async function findOrCreate(
  { config }: AuthService,
  [query, run]: [Query, Run],
  { type }: Fields,
  { email, passwordHash, userMetadata }: Wanted,
  allowed: AllowedUser | null,
): Promise<UserRow> {
  const known = await findUser(query, "email", email);
  if (type === "signup" || type === "invite") {
    if (known && isConfirmed(known)) throw emailExists();
    if (known) {
      // An invitation drops the password when its code is made.
      if (type === "signup") await replaceUnprovedPassword(query, known.id, passwordHash);
      return replaceUnconfirmedMetadata(query, known, userMetadata, { byOperator: true });
    }
  } else if (known) {
    return known;
  } else if (type !== "magiclink") {
    throw new AuthError(404, "user_not_found", "User with this email not found");
  }
  // Null also if the account was deleted just now.
  const created = allowed && (await createUser(run, allowed, config));
  if (!created) throw emailExists();
  return created;
}

async function addressFor(query: Query, fields: Fields, user: UserRow, email: string): Promise<string> {
  if (!fields.type.startsWith("email_change")) return email;
  const newEmail = readEmail(fields.new_email);
  await refuseTaken(query, { email: newEmail });
  if (user.email_change !== newEmail) {
    await query(
      "update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = now() where id = $1",
      [user.id, newEmail],
    );
  }
  return fields.type === "email_change_new" ? newEmail : email;
}
