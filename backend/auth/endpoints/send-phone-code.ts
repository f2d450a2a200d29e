import { asPerson } from "../audit/recorded.ts";
import type { AuthService } from "../auth-service.ts";
import { requireSms, textCode } from "../phone/text-code.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readPhone } from "../users/address.ts";
import { createUser } from "../users/create-user.ts";
import { findUser, isBanned, isConfirmed } from "../users/user-row.ts";

type Wish = { phone: string; createsUser: boolean; data: Record<string, unknown> };

/** A code by text message to sign in with; makes an account where that is wanted. The answer is the same for all. */
export async function sendPhoneOtp(call: Call, service: AuthService, wish: Wish): Promise<Reply> {
  const { database } = service;
  const phone = await mayText(call, service, wish.phone);
  service.later(async () => {
    const known = await findUser(database.query, "phone", phone);
    if (known ? isBanned(known) : !wish.createsUser) return;
    const user = known ?? (await createUser(database.run, { phone, userMetadata: wish.data }));
    // A number that somebody signed up with is confirmed by this, but not that sign-up's password.
    const tokenType = user?.encrypted_password ? "recovery_token" : "confirmation_token";
    if (user) await textCode(service, user, { actor: asPerson(user, call.client), tokenType });
  });
  return { status: 200, body: {} };
}

/** The code of a change of number once more, to the number that is to come; `number` is the one that is good now. */
export async function resendPhoneChange(call: Call, service: AuthService, number: string): Promise<Reply> {
  const phone = await mayText(call, service, number);
  service.later(async () => {
    const user = await findUser(service.database.query, "phone", phone);
    if (!user?.phone_change || isBanned(user)) return;
    const actor = asPerson(user, call.client);
    await textCode(service, user, { actor, tokenType: "phone_change_token", phone: user.phone_change });
  });
  return { status: 200, body: {} };
}

/** The code of a sign-up once more, where one is still waited for. */
export async function resendPhoneCode(call: Call, service: AuthService, number: string): Promise<Reply> {
  const phone = await mayText(call, service, number);
  service.later(async () => {
    const user = await findUser(service.database.query, "phone", phone);
    if (!user || isConfirmed(user) || isBanned(user)) return;
    await textCode(service, user, { actor: asPerson(user, call.client) });
  });
  return { status: 200, body: {} };
}

async function mayText({ client }: Call, service: AuthService, number: string): Promise<string> {
  const phone = readPhone(number);
  requireSms(service, phone);
  await service.limits.take("send", client.network);
  await service.limits.take("accountSms", phone);
  return phone;
}
