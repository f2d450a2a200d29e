import { type Actor, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { keepToken, makeCode, type OneTimeTokenType, tokenOf } from "../one-time-tokens/one-time-token.ts";
import { toUserJson } from "../users/user-json.ts";
import { isConfirmed, type UserRow } from "../users/user-row.ts";

/** @throws AuthError 422 where nobody is there to send text messages to that number */
export function requireSms({ config, sms }: AuthService, phone: string): void {
  if (!config.phoneEnabled) {
    throw new AuthError(422, "phone_provider_disabled", "Phone logins are disabled");
  }
  if (!sms && !config.smsTestCodes[phone]) {
    throw new AuthError(422, "phone_provider_disabled", "Unsupported phone provider");
  }
}

/** Makes, keeps and sends a new code; to the operator's test numbers nothing is sent. */
export async function textCode(
  service: AuthService,
  user: UserRow,
  { actor, tokenType = "confirmation_token" }: { actor: Actor; tokenType?: OneTimeTokenType },
): Promise<void> {
  const { config, database, secret, sms } = service;
  const phone = user.phone ?? "";
  const fixed = config.smsTestCodes[phone];
  const { code, token } = fixed
    ? { code: fixed, token: tokenOf(phone, fixed, secret) }
    : makeCode(phone, config.otpLength, secret);
  await database.transaction(async (query) => {
    await keepToken(query, user.id, tokenType, token, phone);
    const text = "update auth.users set confirmation_sent_at = now(), updated_at = now() where id = $1";
    const action = isConfirmed(user) ? "user_recovery_requested" : "user_confirmation_requested";
    await query(...recorded({ action, actor, traits: { channel: "sms" } }, text, [user.id]));
  });
  if (!fixed) await sms?.send({ user: toUserJson(user), phone, code });
}
