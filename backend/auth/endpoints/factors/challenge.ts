import { randomUUID } from "node:crypto";
import { insertChallenge } from "../../factors/challenge-row.ts";
import { requireFactorType } from "../../factors/factor-type.ts";
import { makePhoneCode, sendPhoneCode } from "../../factors/phone-factor.ts";
import { type OwnFactor, requireFactor } from "../../factors/require-factor.ts";
import { beginKey } from "../../factors/webauthn-factor.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";

/** POST /factors/{id}/challenge: a challenge that can be answered once, within a few minutes. */
export async function challengeFactor(call: Call, service: AuthService): Promise<Reply> {
  const own = await requireFactor(call, service);
  const type = requireFactorType(own.factor.factor_type, service.config, "verify");
  await service.limits.take("factor", call.client.network);
  const id = randomUUID();
  const details = await challenges[type](id, own, call, service);
  const expiresAt = Math.floor(Date.now() / 1000) + service.config.challengeExpiry;
  return { status: 200, body: { id, type, expires_at: expiresAt, ...details } };
}

type Challenge = (id: string, own: OwnFactor, call: Call, service: AuthService) => Promise<object>;

/** Each function stores its challenge and resolves with the additional fields of the response. */
const challenges: Record<"totp" | "phone" | "webauthn", Challenge> = {
  async totp(id, own, { client }, service) {
    await insertChallenge(service, own, { id }, client);
    return {};
  },
  async phone(id, own, call, service) {
    const { code, token } = await makePhoneCode(id, own, call, service);
    await insertChallenge(service, own, { id, codeHash: token }, call.client);
    await sendPhoneCode(own, code, service);
    return {};
  },
  async webauthn(id, own, call, service) {
    const { ceremony, details } = await beginKey(own, call, service);
    await insertChallenge(service, own, { id, ceremony }, call.client);
    return details;
  },
};
