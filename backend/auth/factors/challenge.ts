import { randomUUID } from "node:crypto";
import type { AuthService } from "../auth-service.ts";
import type { Call, Reply } from "../requests/call.ts";
import { requireFactor } from "./require-factor.ts";

export const UNKNOWN_ADDRESS = "0.0.0.0";

/** POST /factors/{id}/challenge: what a code is to answer, for a few minutes and once. */
export async function challengeFactor(call: Call, service: AuthService): Promise<Reply> {
  const { factor } = await requireFactor(call, service);
  await service.limits.take("factor", call.client.network);
  const id = randomUUID();
  await service.database.batch([
    {
      text: "update auth.mfa_factors set last_challenged_at = clock_timestamp(), updated_at = now() where id = $1",
      values: [factor.id],
    },
    {
      text: "insert into auth.mfa_challenges (id, factor_id, created_at, ip_address) values ($1, $2, now(), $3)",
      values: [id, factor.id, call.client.address ?? UNKNOWN_ADDRESS],
    },
  ]);
  const expiresAt = Math.floor(Date.now() / 1000) + service.config.challengeExpiry;
  return { status: 200, body: { id, type: factor.factor_type, expires_at: expiresAt } };
}
