import * as v from "valibot";
import { asPerson } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { takeMail } from "../limits/take-mail.ts";
import { readChallenge } from "../one-time-tokens/flow-state.ts";
import { mailCode } from "../one-time-tokens/mail-code.ts";
import type { Call, Reply } from "../requests/call.ts";
import { json, readBody, text } from "../requests/read-body.ts";
import { readRedirect } from "../requests/redirect.ts";
import { readEmail } from "../users/address.ts";
import { hasAgreed } from "../users/change-email.ts";
import { createUser } from "../users/create-user.ts";
import { findUser, isBanned, isConfirmed, type UserRow } from "../users/user-row.ts";
import { resendPhoneChange, resendPhoneCode, sendPhoneOtp } from "./send-phone-code.ts";

const Recover = v.object({ email: text, code_challenge: text, code_challenge_method: text });
const Otp = v.object({
  ...Recover.entries,
  phone: text,
  data: json,
  create_user: v.nullish(v.boolean(), true),
});
const Resend = v.object({ ...Recover.entries, type: text, phone: text });

const SENT: Reply = { status: 200, body: {} };

/** Counts the mail for the address whether or not it has an account, so that the limit tells nothing either. */
async function mayMail({ client }: Call, { limits }: AuthService, address: string): Promise<void> {
  await limits.take("send", client.network);
  await takeMail(limits, address);
}

function findPerson({ database }: AuthService, email: string): Promise<UserRow | null> {
  return findUser(database.query, "email", email);
}

/** POST /recover: a link to choose a new password, for whoever has an account; the answer is the same for all. */
export async function recover(call: Call, service: AuthService): Promise<Reply> {
  const body = readBody(call.request, Recover);
  const address = readEmail(body.email);
  const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
  const redirectTo = readRedirect(call, service.config);
  await mayMail(call, service, address);
  service.later(async () => {
    const user = await findPerson(service, address);
    if (!user || isBanned(user)) return;
    await mailCode(service, {
      user,
      actor: asPerson(user, call.client),
      kind: "recovery",
      tokenType: "recovery_token",
      address,
      redirectTo,
      challenge,
    });
  });
  return SENT;
}

/** POST /otp: a code and a link to sign in with; makes an account where that is wanted. The answer is the same for all. */
export async function sendOtp(call: Call, service: AuthService): Promise<Reply> {
  const { config, database } = service;
  const body = readBody(call.request, Otp);
  const createsUser = (body.create_user ?? true) && !config.disableSignup;
  if (body.phone !== "") return sendPhoneOtp(call, service, { ...body, data: body.data ?? {}, createsUser });
  if (body.email === "") throw validationFailed("One of email or phone must be set");
  if (!config.emailEnabled) throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
  const address = readEmail(body.email);
  const challenge = readChallenge(body.code_challenge, body.code_challenge_method);
  const redirectTo = readRedirect(call, config);
  await mayMail(call, service, address);
  service.later(async () => {
    const known = await findPerson(service, address);
    if (known ? isBanned(known) : !createsUser) return;
    const user = known ?? (await createUser(database.run, { email: address, userMetadata: body.data ?? {} }));
    if (!user) return;
    // An address that somebody signed up with is confirmed by this, but not that sign-up's password.
    const [kind, tokenType] =
      isConfirmed(user) || user.encrypted_password
        ? (["magiclink", "recovery_token"] as const)
        : (["signup", "confirmation_token"] as const);
    await mailCode(service, {
      user,
      actor: asPerson(user, call.client),
      kind,
      tokenType,
      address,
      redirectTo,
      challenge,
    });
  });
  return SENT;
}

/** POST /resend: the mail of a sign-up or of a change of address once more, where one is still waited for. */
export async function resend(call: Call, service: AuthService): Promise<Reply> {
  const { type, email, phone, ...pkce } = readBody(call.request, Resend);
  if (type === "sms") return resendPhoneCode(call, service, phone);
  if (type === "phone_change") return resendPhoneChange(call, service, phone);
  if (type !== "signup" && type !== "email_change") {
    throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
  }
  const address = readEmail(email);
  const challenge = readChallenge(pkce.code_challenge, pkce.code_challenge_method);
  const redirectTo = readRedirect(call, service.config);
  await mayMail(call, service, address);
  service.later(async () => {
    const user = await findPerson(service, address);
    if (!user || isBanned(user)) return;
    if (type === "email_change") return resendEmailChange(call, service, user, redirectTo);
    if (isConfirmed(user)) return;
    await mailCode(service, {
      user,
      actor: asPerson(user, call.client),
      kind: "signup",
      tokenType: "confirmation_token",
      address,
      redirectTo,
      challenge,
    });
  });
  return SENT;
}

async function resendEmailChange(
  { client }: Call,
  service: AuthService,
  user: UserRow,
  redirectTo: string,
): Promise<void> {
  const newEmail = user.email_change;
  if (!newEmail) return;
  const mail = { user, actor: asPerson(user, client), kind: "email_change", newEmail, redirectTo } as const;
  const isAsked = service.config.secureEmailChange && !hasAgreed(user, "email_change_token_current");
  if (isAsked && user.email) {
    await mailCode(service, { ...mail, tokenType: "email_change_token_current", address: user.email });
  }
  await mailCode(service, { ...mail, tokenType: "email_change_token_new", address: newEmail });
}
