import { type Actor, type AuditAction, recorded } from "../audit/recorded.ts";
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

const SENT_AT: Partial<Record<OneTimeTokenType, string>> = {
  phone_change_token: "phone_change_sent_at",
  reauthentication_token: "reauthentication_sent_at",
};

const ASKED: Partial<Record<OneTimeTokenType, AuditAction>> = {
  phone_change_token: "user_modified",
  reauthentication_token: "user_reauthenticate_requested",
};

/** Makes, keeps and sends a new code; to the operator's test numbers nothing is sent. */
export async function textCode(
  service: AuthService,
  user: UserRow,
  {
    actor,
    tokenType = "confirmation_token",
    phone = user.phone ?? "",
  }: { actor: Actor; tokenType?: OneTimeTokenType; phone?: string },
): Promise<void> {
  const { config, database, secret, sms } = service;
  const fixed = config.smsTestCodes[phone];
  const { code, token } = fixed
    ? { code: fixed, token: tokenOf(phone, fixed, secret) }
    : makeCode(phone, config.otpLength, secret);
  await database.transaction(async (query) => {
    await keepToken(query, user.id, tokenType, token, phone);
    const text = `update auth.users set ${SENT_AT[tokenType] ?? "confirmation_sent_at"} = now(), updated_at = now() where id = $1`;
    const action =
      ASKED[tokenType] ?? (isConfirmed(user) ? "user_recovery_requested" : "user_confirmation_requested");
    await query(...recorded({ action, actor, traits: { channel: "sms" } }, text, [user.id]));
  });
  if (!fixed) await sms?.send({ user: toUserJson(user), phone, code });
}
