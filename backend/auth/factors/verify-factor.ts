import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { answerSession } from "../sessions/session-answer.ts";
import { lockChallenge } from "./challenge-row.ts";
import { requireFactorType } from "./factor-type.ts";
import { guessesOf } from "./limit-guesses.ts";
import { isPhoneCode } from "./phone-factor.ts";
import { type Raised, raiseSession } from "./raise-session.ts";
import { type OwnFactor, requireFactor } from "./require-factor.ts";
import { unseal } from "./sealed-secret.ts";
import { isTotpCode } from "./totp.ts";
import { verifyKey } from "./webauthn-factor.ts";

/** POST /factors/{id}/verify: the right answer raises the session to aal2. */
export async function verifyFactor(call: Call, service: AuthService): Promise<Reply> {
  const own = await requireFactor(call, service);
  const type = requireFactorType(own.factor.factor_type, service.config, "verify");
  await service.limits.take("factor", call.client.network);
  const raised = await (type === "webauthn" ? verifyKey : verifyCode)(own, call, service);
  return { status: 200, body: await answerSession(service, raised.user, raised.session) };
}

const Body = v.object({ challenge_id: text, code: text });

/** Seconds during which a code that was taken could be taken again, were it not remembered. */
const CODE_LIVES = 120;

async function verifyCode(own: OwnFactor, call: Call, service: AuthService): Promise<Raised> {
  const { challenge_id: challengeId, code } = readBody(call.request, Body);
  if (code === "") throw validationFailed("Code needs to be non-empty");
  const { factor, user } = own;
  const guesses = guessesOf(service, user.id, call.client);
  await guesses.take();
  const isPhone = factor.factor_type === "phone";
  const raised = await service.database.transaction(async (query, run) => {
    const challenge = await lockChallenge(query, challengeId, factor.id, call.client, service);
    const isRight = isPhone
      ? isPhoneCode(code, challenge, service)
      : isTotpCode(code, unseal(factor.secret ?? "", factor.id, service.secret)) &&
        !(await wasUsed(query, factor.id, code));
    if (!isRight) return null;
    await query("update auth.mfa_challenges set verified_at = now(), otp_code = $2 where id = $1", [
      challengeId,
      isPhone ? null : code,
    ]);
    return raiseSession(run, own, service.config);
  });
  if (!raised) {
    const message = isPhone ? "Invalid MFA Phone code entered" : "Invalid TOTP code entered";
    throw new AuthError(422, "mfa_verification_failed", message);
  }
  await guesses.forget();
  return raised;
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
