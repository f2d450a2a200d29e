import * as v from "valibot";
import type { Query, Run } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { MailKind } from "../mail/templates.ts";
import { type CodeMail, prepareCode } from "../one-time-tokens/mail-code.ts";
import { refuseWeak } from "../passwords/password-policy.ts";
import { requireAdmin } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import { json, readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import { readEmail } from "../users/address.ts";
import { emailExists } from "../users/change-email.ts";
import { createUser } from "../users/create-user.ts";
import { toUserJson } from "../users/user-json.ts";
import { findUser, isConfirmed, type UserRow } from "../users/user-row.ts";

const Body = v.object({ type: text, email: text, new_email: text, password: text, data: json });
type Wish = v.InferOutput<typeof Body>;

const KINDS: Record<string, Pick<CodeMail, "tokenType"> & { kind: MailKind }> = {
  signup: { kind: "signup", tokenType: "confirmation_token" },
  invite: { kind: "invite", tokenType: "confirmation_token" },
  magiclink: { kind: "magiclink", tokenType: "recovery_token" },
  recovery: { kind: "recovery", tokenType: "recovery_token" },
  email_change_current: { kind: "email_change", tokenType: "email_change_token_current" },
  email_change_new: { kind: "email_change", tokenType: "email_change_token_new" },
};

/** POST /admin/generate_link: what a mail would carry, for a server that sends its own mails. */
export async function generateLink(call: Call, service: AuthService): Promise<Reply> {
  const operator = await requireAdmin(call, service);
  const wish = readBody(call.request, Body);
  const wanted = Object.hasOwn(KINDS, wish.type) ? KINDS[wish.type] : undefined;
  if (!wanted) throw validationFailed(`Invalid email action link type requested: ${wish.type.slice(0, 50)}`);
  const email = readEmail(wish.email);
  const redirectTo = readRedirect(call, service.config);
  const passwordHash = await hashFor(wish, service);
  const body = await service.database.transaction(async (query, run) => {
    const user = await findOrCreate(query, run, wish, email, passwordHash);
    const address = await addressFor(query, wish, user, email);
    const { code, token, link } = await prepareCode(service, query, {
      ...wanted,
      user,
      actor: operator,
      address,
      redirectTo,
    });
    const now = (await findUser(query, "id", user.id)) as UserRow;
    return {
      ...toUserJson(now),
      action_link: link,
      email_otp: code,
      hashed_token: token,
      verification_type: wish.type,
      redirect_to: redirectTo,
    };
  });
  return { status: 200, body };
}

async function hashFor({ type, password }: Wish, { config, passwords }: AuthService): Promise<string | null> {
  if (type !== "signup") return null;
  if (password === "") throw validationFailed("Signup requires a valid password");
  await refuseWeak(password, config);
  return passwords.hash(password);
}

async function findOrCreate(
  query: Query,
  run: Run,
  { type, data }: Wish,
  email: string,
  passwordHash: string | null,
): Promise<UserRow> {
  const known = await findUser(query, "email", email);
  if (type === "signup" || type === "invite") {
    if (known && isConfirmed(known)) throw emailExists();
    if (known) return known;
  } else if (known) {
    return known;
  } else if (type !== "magiclink") {
    throw new AuthError(404, "user_not_found", "User with this email not found");
  }
  const created = await createUser(run, {
    email,
    passwordHash,
    userMetadata: data ?? {},
    invited: type === "invite",
  });
  if (!created) throw emailExists();
  return created;
}

async function addressFor(query: Query, wish: Wish, user: UserRow, email: string): Promise<string> {
  if (!wish.type.startsWith("email_change")) return email;
  const newEmail = readEmail(wish.new_email);
  if (await findUser(query, "email", newEmail)) throw emailExists();
  if (user.email_change !== newEmail) {
    await query(
      "update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = now() where id = $1",
      [user.id, newEmail],
    );
  }
  return wish.type === "email_change_new" ? newEmail : email;
}
