import * as v from "valibot";
import { asPerson } from "../../audit/recorded.ts";
import { validationFailed } from "../../auth-error.ts";
import { isWithin, takeMail, takeText } from "../../limits/account-limits.ts";
import { type CodeMail, mailCode, prepareChangeMails } from "../../one-time-codes/mail-code.ts";
import { textCode } from "../../one-time-codes/text-code.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { readEmail, readPhone } from "../../users/address.ts";
import { hasAgreed } from "../../users/change-address.ts";
import { isConfirmed, type UserRow } from "../../users/user-row.ts";
import { findRecipient, MailFields, mayMail, mayText, SENT } from "./may-send.ts";

const Body = v.object({ ...MailFields.entries, type: text, phone: text });

const TYPES: ReadonlySet<string> = new Set(["signup", "email_change", "sms", "phone_change"]);

/** What names the account: its current address or number. */
type Account = { by: "email" | "phone"; address: string };

/** POST /resend: sends the code of a pending sign-up, or of a pending change of address or number, again. */
export async function resend(call: Call, service: AuthService): Promise<Reply> {
  const body = readBody(call.request, Body);
  const { type } = body;
  const account = readAccount(body, service.config.emailFault);
  if (type === "sms" || type === "phone_change") return resendText(call, service, account, type);
  const target = await mayMail(call, service, body, account.address);
  service.later(async () => {
    const user = await findRecipient(service, account.by, account.address);
    if (!user) return;
    const mail = { ...target, user, actor: asPerson(user, call.client), isRepeated: true };
    if (type === "email_change") await resendEmailChange(service, user, mail);
    else if (!isConfirmed(user)) await mailCode(service, { ...mail, kind: "signup" });
  });
  return SENT;
}

/** The code of a change goes to the new address, so the account may also be named the other way. */
function readAccount({ type, email, phone }: v.InferOutput<typeof Body>, emailFault: string): Account {
  if (!TYPES.has(type)) {
    throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
  }
  if (email !== "" && phone !== "") {
    throw validationFailed("Only an email address or phone number should be provided.");
  }
  if (type === "signup" && email === "") throw validationFailed("Type provided requires an email address");
  if (type === "sms" && phone === "") throw validationFailed("Type provided requires a phone number");
  return phone === ""
    ? { by: "email", address: readEmail(email, emailFault) }
    : { by: "phone", address: readPhone(phone) };
}

async function resendEmailChange(
  service: AuthService,
  user: UserRow,
  common: Omit<CodeMail, "kind" | "newEmail">,
): Promise<void> {
  const newEmail = user.email_change;
  if (!newEmail) return;
  const mail = { ...common, newEmail };
  const asksOld = service.config.secureEmailChange && !hasAgreed(user, "email_change_token_current");
  const { database, limits, mailer } = service;
  // The address that named the account is counted already. No refusal: it would reveal the pending change.
  for (const to of [newEmail, asksOld && user.email]) {
    if (to && to !== common.address && !(await isWithin(takeMail(limits, to)))) return;
  }
  const mails = await database.transaction((query) => prepareChangeMails(service, query, mail, asksOld));
  for (const message of mails) await mailer.send(message);
}

async function resendText(
  call: Call,
  service: AuthService,
  { by, address }: Account,
  type: "sms" | "phone_change",
): Promise<Reply> {
  await mayText(call, service, address);
  await service.smsResponses.uniform(async () => {
    const user = await findRecipient(service, by, address);
    if (!user) return false;
    const actor = asPerson(user, call.client);
    if (type === "sms") return !isConfirmed(user) && textCode(service, user, { actor });
    const { phone_change: phone } = user;
    if (!phone || !(await isWithin(takeText(service.limits, phone)))) return false;
    return textCode(service, user, { actor, tokenType: "phone_change_token", phone });
  });
  return SENT;
}
