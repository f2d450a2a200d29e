import type { Query } from "#backend/postgres/database.ts";
import { type Actor, type AuditAction, recorded } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import { isConfirmed, type UserRow } from "../users/user-row.ts";
import { makeCode, type OneTimeTokenType, storeToken, tokenOf } from "./one-time-token.ts";

/** @throws AuthError 422 if text messages cannot be sent to the number */
export function requireSms({ config, sms }: AuthService, phone: string): void {
  if (!config.phoneEnabled) {
    throw new AuthError(422, "phone_provider_disabled", "Phone logins are disabled");
  }
  if (!sms && !testCodeOf(config, phone)) {
    throw new AuthError(422, "phone_provider_disabled", "Unsupported phone provider");
  }
}

/** @throws AuthError 400 if a message is asked for that is not an SMS, such as one by WhatsApp */
export function requireSmsChannel(channel: string): void {
  if (channel !== "" && channel !== "sms")
    throw validationFailed("Invalid channel, supported values are 'sms'");
}

/** The operator's fixed test code for a number, while valid. */
function testCodeOf(
  { smsTestCodes, smsTestCodesUntil: until }: AuthConfig,
  phone: string,
): string | undefined {
  return until === null || Date.now() < until ? smsTestCodes[phone] : undefined;
}

/** Per token type: the column with the time it was sent, and the audit action. */
const KINDS: Partial<Record<OneTimeTokenType, { sentAt: string; action: AuditAction }>> = {
  phone_change_token: { sentAt: "phone_change_sent_at", action: "user_modified" },
  reauthentication_token: {
    sentAt: "reauthentication_sent_at",
    action: "user_reauthenticate_requested",
  },
};

type CodeText = { actor: Actor; tokenType?: OneTimeTokenType; phone?: string };

/** Creates, stores and sends a code; sends nothing to the operator's test numbers. */
export async function textCode(service: AuthService, user: UserRow, text: CodeText): Promise<true> {
  const send = await service.database.transaction((query) => prepareText(service, query, user, text));
  await send();
  return true;
}

/**
 * Same as `textCode` without sending, for callers that commit more in the same transaction; resolves with a function
 * that sends it.
 */
export async function prepareText(
  service: AuthService,
  query: Query,
  user: UserRow,
  { actor, tokenType = "confirmation_token", phone = user.phone ?? "" }: CodeText,
): Promise<() => Promise<void>> {
  const { config, secret, sms } = service;
  const fixed = testCodeOf(config, phone);
  const { code, token } = fixed
    ? { code: fixed, token: tokenOf(phone, fixed, secret) }
    : makeCode(phone, config.smsOtpLength, secret);
  await storeToken(query, user.id, tokenType, token, phone);
  const { sentAt, action } = KINDS[tokenType] ?? {
    sentAt: "confirmation_sent_at",
    action: isConfirmed(user) ? "user_recovery_requested" : "user_confirmation_requested",
  };
  const text = `update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`;
  await query(...recorded({ action, actor, traits: { channel: "sms" } }, text, [user.id]));
  return async () => {
    if (!fixed) await sms?.send({ user: toUserJson(user), phone, code, ipAddress: actor.address });
  };
}
