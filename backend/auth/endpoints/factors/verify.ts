import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { openChallenge } from "../../factors/challenge-row.ts";
import { askFactorHook } from "../../factors/factor-hook.ts";
import { requireFactorType } from "../../factors/factor-type.ts";
import { guessesOf } from "../../factors/limit-guesses.ts";
import { isPhoneCode } from "../../factors/phone-factor.ts";
import { type OwnFactor, requireFactor } from "../../factors/require-factor.ts";
import { unseal } from "../../factors/sealed-secret.ts";
import { type SteppedUpSession, stepUpSession } from "../../factors/step-up-session.ts";
import { isTotpCode } from "../../factors/totp.ts";
import { verifyKey } from "../../factors/webauthn-factor.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { recordFailure } from "../../requests/record-failure.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireRecentProof } from "../../sessions/recent-proof.ts";
import { replySession } from "../../sessions/session-answer.ts";
import { sendNotice } from "../../users/send-notice.ts";

/** POST /factors/{id}/verify: a correct answer raises the session to aal2. */
export async function verifyFactor(call: Call, service: AuthService): Promise<Reply> {
  const own = await requireFactor(call, service);
  const type = requireFactorType(own.factor.factor_type, service.config, "verify");
  await service.limits.take("factor", call.client.network);
  // Before the code is spent, so that the user can retry it after the proof.
  if (own.factor.status !== "verified") await requireRecentProof(own, service);
  const raised = await (type === "webauthn" ? verifyKey : verifyCode)(own, call, service);
  sendNotice(service, raised.notice);
  return replySession(service, { ...raised, isNewDevice: false });
}

const Body = v.object({ challenge_id: text, code: text });

/** Seconds for which a used code is remembered; longer than its validity. */
const CODE_LIFETIME = 120;

async function verifyCode(own: OwnFactor, call: Call, service: AuthService): Promise<SteppedUpSession> {
  const { challenge_id: challengeId, code } = readBody(call.request, Body);
  if (code === "") throw validationFailed("Code needs to be non-empty");
  const { factor, user } = own;
  const guesses = guessesOf(service, user.id, call.client);
  await guesses.take();
  const isPhone = factor.factor_type === "phone";
  const isRight = await service.database.transaction(async (query) => {
    const named = { id: challengeId, factorId: factor.id };
    const challenge = await openChallenge(query, "lock", named, call.client, service);
    const matches = isPhone
      ? isPhoneCode(code, challenge, service)
      : isTotpCode(code, requireSecret(factor, service)) && !(await wasUsed(query, factor.id, code));
    if (!matches) return false;
    await query("update auth.mfa_challenges set verified_at = now(), otp_code = $2 where id = $1", [
      challengeId,
      isPhone ? null : code,
    ]);
    return true;
  });
  const attempt = { userId: user.id, factorId: factor.id, factorType: factor.factor_type, valid: isRight };
  await askFactorHook(service, attempt, call.client);
  if (!isRight) {
    const by = isPhone ? "phone factor" : "totp factor";
    recordFailure(service, async () => user, { client: call.client, by });
    const message = isPhone ? "Invalid MFA Phone code entered" : "Invalid TOTP code entered";
    throw new AuthError(422, "mfa_verification_failed", message);
  }
  const raised = await service.database.transaction((query, run) => stepUpSession(query, run, own, service));
  await guesses.reset();
  return raised;
}

/** @throws AuthError 422 if the key that sealed it is gone, so that no code can be checked */
function requireSecret(
  { id, secret }: OwnFactor["factor"],
  { sealingKeys, reportMissingKey }: AuthService,
): string {
  const opened = unseal(secret ?? "", id, sealingKeys);
  if (opened !== null) return opened;
  reportMissingKey();
  const message =
    "This authenticator app can't be checked any more, since the site's key for it is gone. Ask an administrator to remove it.";
  throw new AuthError(422, "mfa_verification_failed", message);
}

/** Makes a code single-use, so that someone who saw it cannot reuse it. */
async function wasUsed(query: Query, factorId: string, code: string): Promise<boolean> {
  await query("select from auth.mfa_factors where id = $1 for update", [factorId]);
  const used = await query(
    `select from auth.mfa_challenges where factor_id = $1 and otp_code = $2
       and verified_at > now() - make_interval(secs => $3)`,
    [factorId, code, String(CODE_LIFETIME)],
  );
  return used.length > 0;
}
