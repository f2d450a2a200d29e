import * as v from "valibot";
import { asPerson } from "../../audit/recorded.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { takeAccount } from "../../limits/account-limits.ts";
import { mailCode } from "../../one-time-codes/mail-code.ts";
import { requireSmsChannel, textCode } from "../../one-time-codes/text-code.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { readPhone } from "../../users/address.ts";
import { metadata } from "../../users/metadata.ts";
import { isConfirmed } from "../../users/user-row.ts";
import { findOrCreate, MailFields, mayMail, mayText, SENT } from "./may-send.ts";

const Body = v.object({
  ...MailFields.entries,
  phone: text,
  channel: text,
  data: metadata,
  create_user: v.nullish(v.boolean(), true),
});

type NewAccount = { data: Record<string, unknown>; createsUser: boolean };

/** POST /otp, /magiclink: sends a sign-in code and link; creates an account if requested. */
export async function sendOtp(call: Call, service: AuthService): Promise<Reply> {
  const { config, limits } = service;
  const body = readBody(call.request, Body);
  const createsUser = (body.create_user ?? true) && !config.disableSignup;
  const account = { data: body.data ?? {}, createsUser };
  if (body.email !== "" && body.phone !== "") {
    throw validationFailed("Only an email address or phone number should be provided");
  }
  if (body.phone !== "") {
    requireSmsChannel(body.channel);
    return sendPhoneOtp(call, service, readPhone(body.phone), account);
  }
  if (body.email === "") throw validationFailed("One of email or phone must be set");
  if (!config.emailEnabled) throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
  const target = await mayMail(call, service, body);
  if (createsUser) await takeAccount(limits, call.client.network);
  service.later(async () => {
    const user = await findOrCreate(call, service, ["email", target.address], account);
    if (!user) return;
    // If the sign-up had a password, this confirms the address but not the password.
    const kind = isConfirmed(user) || user.encrypted_password ? "magiclink" : "signup";
    await mailCode(service, { ...target, user, actor: asPerson(user, call.client), kind });
  });
  return SENT;
}

async function sendPhoneOtp(
  call: Call,
  service: AuthService,
  phone: string,
  account: NewAccount,
): Promise<Reply> {
  await mayText(call, service, phone);
  if (account.createsUser) await takeAccount(service.limits, call.client.network);
  await service.smsResponses.uniform(async () => {
    const user = await findOrCreate(call, service, ["phone", phone], account);
    // If the sign-up had a password, this confirms the number but not the password.
    const tokenType = user?.encrypted_password ? "recovery_token" : "confirmation_token";
    return user !== null && textCode(service, user, { actor: asPerson(user, call.client), tokenType });
  });
  return SENT;
}
