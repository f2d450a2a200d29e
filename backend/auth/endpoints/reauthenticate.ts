import { asPerson } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import { takeMail, takeText } from "../limits/account-limits.ts";
import { mailCode, requireMail } from "../one-time-codes/mail-code.ts";
import { requireSms, textCode } from "../one-time-codes/text-code.ts";
import type { Call, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireUser } from "../sessions/require-user.ts";

/**
 * GET /reauthenticate: sends the code that may be required to change a password. Counts for the account, since strangers
 * can exhaust the limits of its address.
 */
export async function reauthenticate(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireUser(call, service);
  const actor = asPerson(user, call.client);
  // Apart from the change that it is for, which counts for the account, too.
  const requester = `reauthentication ${user.id}`;
  const address = user.email;
  if (!address && user.phone_confirmed_at != null) {
    const phone = user.phone ?? "";
    requireSms(service, phone);
    await service.limits.take("send", call.client.network);
    await takeText(service.limits, requester);
    await textCode(service, user, { actor, tokenType: "reauthentication_token" });
    return { status: 200, body: {} };
  }
  if (!address || user.email_confirmed_at == null) {
    throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
  }
  requireMail(service);
  await service.limits.take("send", call.client.network);
  await takeMail(service.limits, requester);
  const redirectTo = service.config.siteUrl;
  await mailCode(service, { user, actor, kind: "reauthentication", address, redirectTo });
  return { status: 200, body: {} };
}
