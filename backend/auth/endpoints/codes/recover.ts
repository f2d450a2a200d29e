import { asPerson } from "../../audit/recorded.ts";
import { mailCode } from "../../one-time-codes/mail-code.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { findRecipient, MailFields, mayMail, SENT } from "./may-send.ts";

/** POST /recover: sends a link to set a new password. */
export async function recover(call: Call, service: AuthService): Promise<Reply> {
  const target = await mayMail(call, service, readBody(call.request, MailFields));
  service.later(async () => {
    const user = await findRecipient(service, "email", target.address);
    if (!user) return;
    await mailCode(service, { ...target, user, actor: asPerson(user, call.client), kind: "recovery" });
  });
  return SENT;
}
