import * as v from "valibot";
import { isSameSecret } from "#backend/tokens/same-secret.ts";
import { AuthError } from "../auth-error.ts";
import { requesterOf, takeFactorText } from "../limits/account-limits.ts";
import { makeCode, type OneTimeCode, tokenOf } from "../one-time-codes/one-time-token.ts";
import { requireSmsChannel } from "../one-time-codes/text-code.ts";
import type { Call } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import type { AuthService } from "../service/auth-service.ts";
import { toUserJson } from "../users/user-json.ts";
import type { ChallengeRow } from "./challenge-row.ts";
import type { OwnFactor } from "./require-factor.ts";

const Body = v.object({ channel: text });

/** Creates a code for one challenge; limited per number, account and network. */
export async function makePhoneCode(
  challengeId: string,
  { user, factor }: OwnFactor,
  call: Call,
  { config, limits, secret, sms }: AuthService,
): Promise<OneTimeCode> {
  requireSmsChannel(readBody(call.request, Body).channel);
  if (!sms) throw new AuthError(422, "phone_provider_disabled", "Unsupported phone provider");
  await limits.take("send", call.client.network);
  const { phone, status } = factor;
  // Someone with the password alone cannot exhaust it for the user on a network where a code was correct before.
  const requester = await requesterOf(limits, `factor ${user.id}`, call.client.network);
  await takeFactorText(limits, { requester, phone: phone ?? "", isVerified: status === "verified" });
  return makeCode(challengeId, config.phoneFactorCodeLength, secret);
}

export async function sendPhoneCode({ user, factor, actor }: OwnFactor, code: string, { sms }: AuthService) {
  const { phone } = factor;
  const { address: ipAddress } = actor;
  await sms?.send({ user: toUserJson(user), phone: phone ?? "", code, purpose: "mfa", ipAddress });
}

export function isPhoneCode(code: string, challenge: ChallengeRow, { secret }: AuthService): boolean {
  return isSameSecret(tokenOf(challenge.id, code, secret), challenge.otp_code ?? "");
}
