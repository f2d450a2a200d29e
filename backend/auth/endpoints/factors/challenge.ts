import { randomUUID } from "node:crypto";
import { insertChallenge } from "../../factors/challenge-row.ts";
import { requireFactorType } from "../../factors/factor-type.ts";
import { makePhoneCode, sendPhoneCode } from "../../factors/phone-factor.ts";
import { type OwnFactor, requireFactor } from "../../factors/require-factor.ts";
import { beginKey } from "../../factors/webauthn-factor.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";

/** POST /factors/{id}/challenge: what is to be answered, for a few minutes and once. */
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

/** Each stores its challenge and resolves with what the response says of it. */
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
