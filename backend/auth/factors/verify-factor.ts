import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { SignedIn } from "../requests/authenticate.ts";
import type { Call, Client, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { isUuid } from "../requests/uuid.ts";
import { answerSession } from "../sessions/session-answer.ts";
import { findSession, type SessionRow } from "../sessions/session-row.ts";
import { findUser, type UserRow } from "../users/user-row.ts";
import { UNKNOWN_ADDRESS } from "./challenge.ts";
import { type Factor, requireFactor } from "./require-factor.ts";
import { unseal } from "./sealed-secret.ts";
import { isTotpCode } from "./totp.ts";

const Body = v.object({ challenge_id: text, code: text });

/** Seconds during which a code that was taken could be taken again, were it not remembered. */
const CODE_LIVES = 120;

/** POST /factors/{id}/verify: the right code raises the session to aal2. */
export async function verifyFactor(call: Call, service: AuthService): Promise<Reply> {
  const { challenge_id: challengeId, code } = readBody(call.request, Body);
  const { user, session, factor } = await requireFactor(call, service);
  await service.limits.take("factor", call.client.network);
  await service.limits.take("accountFactor", user.id);
  // Five a minute for weeks would find six digits.
  await service.limits.take("accountFactorDay", user.id);
  if (!service.config.totpEnabled) {
    throw new AuthError(422, "mfa_totp_verify_not_enabled", "MFA verification is disabled for TOTP");
  }
  const isRight = isTotpCode(code, unseal(factor.secret ?? "", factor.id, service.secret));
  const raised = await service.database.transaction(async (query) => {
    await requireChallenge(query, challengeId, factor, call.client, service);
    if (!isRight || (await wasUsed(query, factor.id, code))) return null;
    return raise(query, { user, session }, factor, { challengeId, code });
  });
  if (!raised) throw new AuthError(422, "mfa_verification_failed", "Invalid TOTP code entered");
  await service.limits.forget("accountFactor", user.id);
  await service.limits.forget("accountFactorDay", user.id);
  return { status: 200, body: await answerSession(service, raised.user, raised.session) };
}

async function requireChallenge(
  query: Query,
  id: string,
  factor: Factor,
  client: Client,
  { config }: AuthService,
): Promise<void> {
  const [challenge] = isUuid(id)
    ? await query(
        `select host(ip_address) as address, created_at > now() - make_interval(secs => $3) as fresh
         from auth.mfa_challenges where id = $1 and factor_id = $2 and verified_at is null for update`,
        [id, factor.id, String(config.challengeExpiry)],
      )
    : [];
  if (!challenge) {
    throw new AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
  }
  if (challenge.fresh !== "t") {
    const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`;
    throw new AuthError(422, "mfa_challenge_expired", message);
  }
  const here = client.address ?? UNKNOWN_ADDRESS;
  if (challenge.address !== here && challenge.address !== UNKNOWN_ADDRESS) {
    throw new AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  }
}

/** A code that somebody looked at over a shoulder is worth nothing once its owner has used it. */
async function wasUsed(query: Query, factorId: string, code: string): Promise<boolean> {
  await query("select from auth.mfa_factors where id = $1 for update", [factorId]);
  const used = await query(
    `select from auth.mfa_challenges where factor_id = $1 and otp_code = $2
       and verified_at > now() - make_interval(secs => $3)`,
    [factorId, code, String(CODE_LIVES)],
  );
  return used.length > 0;
}

async function raise(
  query: Query,
  { user, session }: SignedIn,
  factor: Factor,
  { challengeId, code }: { challengeId: string; code: string },
): Promise<{ user: UserRow; session: SessionRow }> {
  await query("update auth.mfa_challenges set verified_at = now(), otp_code = $2 where id = $1", [
    challengeId,
    code,
  ]);
  await query("update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1", [
    factor.id,
  ]);
  await query(
    "delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type::text = $2",
    [user.id, factor.factor_type],
  );
  // What was signed in with the first factor alone is no longer enough.
  await query("delete from auth.sessions where user_id = $1 and id <> $2 and aal = 'aal1'", [
    user.id,
    session.id,
  ]);
  await query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, refreshed_at = now() at time zone 'utc', updated_at = now(),
       refresh_token_counter = coalesce(refresh_token_counter, 0) + 1
     where id = $1`,
    [session.id, factor.id],
  );
  await query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values ($1, $2, now(), now(), $3)
     on conflict (session_id, authentication_method) do update set updated_at = now()`,
    [randomUUID(), session.id, factor.factor_type],
  );
  return {
    user: (await findUser(query, "id", user.id)) as UserRow,
    session: (await findSession(query, session.id)) as SessionRow,
  };
}
