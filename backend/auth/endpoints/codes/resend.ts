import * as v from "valibot";
import { asPerson } from "../../audit/recorded.ts";
import { validationFailed } from "../../auth-error.ts";
import { type CodeMail, mailCode, prepareChangeMails } from "../../one-time-codes/mail-code.ts";
import { textCode } from "../../one-time-codes/text-code.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { hasAgreed } from "../../users/change-address.ts";
import { isConfirmed, type UserRow } from "../../users/user-row.ts";
import { findRecipient, MailFields, mayMail, mayText, SENT } from "./may-send.ts";

const Body = v.object({ ...MailFields.entries, type: text, phone: text });

/** POST /resend: sends the code of a pending sign-up, or of a pending change of address or number, again. */
export async function resend(call: Call, service: AuthService): Promise<Reply> {
  const { type, phone, ...fields } = readBody(call.request, Body);
  if (type === "sms" || type === "phone_change") return resendText(call, service, phone, type);
  if (type !== "signup" && type !== "email_change") {
    throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
  }
  const target = await mayMail(call, service, fields);
  service.later(async () => {
    const user = await findRecipient(service, "email", target.address);
    if (!user) return;
    const mail = { ...target, user, actor: asPerson(user, call.client), isRepeated: true };
    if (type === "email_change") await resendEmailChange(service, user, mail);
    else if (!isConfirmed(user)) await mailCode(service, { ...mail, kind: "signup" });
  });
  return SENT;
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
  const { database, mailer } = service;
  const mails = await database.transaction((query) => prepareChangeMails(service, query, mail, asksOld));
  for (const message of mails) await mailer.send(message);
}

/** `number` is the account's current one; the code of a change goes to the new one. */
async function resendText(
  call: Call,
  service: AuthService,
  number: string,
  type: "sms" | "phone_change",
): Promise<Reply> {
  const phone = await mayText(call, service, number);
  await service.smsResponses.uniform(async () => {
    const user = await findRecipient(service, "phone", phone);
    if (!user) return false;
    const actor = asPerson(user, call.client);
    if (type === "sms") return !isConfirmed(user) && textCode(service, user, { actor });
    if (!user.phone_change) return false;
    return textCode(service, user, { actor, tokenType: "phone_change_token", phone: user.phone_change });
  });
  return SENT;
}
