import * as v from "valibot";
import { asPerson, entryOf } from "../../audit/recorded.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { askFactorHook } from "../../factors/factor-hook.ts";
import { guessesOf } from "../../factors/limit-guesses.ts";
import { describeCodes, RECOVERY_METHOD, replaceCodes, spendCode } from "../../factors/recovery-codes.ts";
import { stepUpSteps } from "../../factors/step-up-session.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { recordFailure } from "../../requests/record-failure.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireRecentProof } from "../../sessions/recent-proof.ts";
import { requireUser, type SignedIn } from "../../sessions/require-user.ts";
import { replySession } from "../../sessions/session-answer.ts";
import type { SessionRow } from "../../sessions/session-row.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { hasVerifiedFactor, lockUser, type UserRow } from "../../users/user-row.ts";

/** The hosted service has no recovery codes, so the factor hook gets no real factor id. */
const NO_FACTOR = "00000000-0000-0000-0000-000000000000";

/** GET /factors/recovery-codes: the number of codes left, and the time the set was created. */
export async function countRecoveryCodes(call: Call, service: AuthService): Promise<Reply> {
  const { user } = requireFactor(await requireUser(call, service));
  return { status: 200, body: await describeCodes(service.database.query, user.id) };
}

/** POST /factors/recovery-codes: creates a set, shown only once; the previous one becomes invalid. */
export async function makeRecoveryCodes(call: Call, service: AuthService): Promise<Reply> {
  const person = requireFactor(await requireRecentProof(await requireUser(call, service), service));
  if (person.session.aal !== "aal2") {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to make recovery codes");
  }
  const { user } = person;
  const { config, database, secret } = service;
  const actor = asPerson(user, call.client);
  const { codes, notice } = await database.transaction(async (query) => {
    // Two concurrent requests would leave two sets.
    await lockUser(query, user.id);
    return {
      codes: await replaceCodes(query, user.id, secret, { action: "generate_recovery_codes", actor }),
      notice: await createOwnerNotice(config, query, user, { kind: "recovery_codes" }),
    };
  });
  sendNotice(service, notice);
  return { status: 200, body: { codes } };
}

const Body = v.object({ code: text });

/** POST /factors/recovery-codes/verify: a recovery code, in place of the second factor, raises the session to aal2. */
export async function useRecoveryCode(call: Call, service: AuthService): Promise<Reply> {
  const { code } = readBody(call.request, Body);
  if (code === "") throw validationFailed("Code needs to be non-empty");
  const person = requireFactor(await requireUser(call, service));
  const { user } = person;
  await service.limits.take("factor", call.client.network);
  const guesses = guessesOf(service, user.id, call.client);
  await guesses.take();
  const valid = await spendCode(service.database.query, user.id, code, service.secret);
  const attempt = { userId: user.id, factorId: NO_FACTOR, factorType: "recovery_code", valid };
  await askFactorHook(service, attempt, call.client);
  if (!valid) {
    recordFailure(service, async () => user, { client: call.client, by: "recovery code" });
    throw new AuthError(422, "mfa_verification_failed", "Invalid recovery code entered");
  }
  const raised = await raise(person, call, service);
  await guesses.reset();
  return replySession(service, { ...raised, isNewDevice: false });
}

async function raise({ user, session }: SignedIn, { client }: Call, service: AuthService) {
  const actor = asPerson(user, client);
  const traits = { factor_type: "recovery_code" };
  const { raised, notice } = await service.database.transaction(async (query, run) => {
    const used = { userId: user.id, sessionId: session.id, factorId: null, method: RECOVERY_METHOD };
    const [text, values] = entryOf({ action: "verification_attempted", actor, traits });
    const rows = await run([{ text, values }, ...stepUpSteps(used)]);
    const [[now], [found]] = rows.slice(-2) as [[SessionRow], [UserRow]];
    const { remaining } = await describeCodes(query, user.id);
    const notice = await createOwnerNotice(service.config, query, user, { kind: "recovery_code", remaining });
    return { raised: { user: found, session: now }, notice };
  });
  sendNotice(service, notice);
  return raised;
}

/** @throws AuthError 422 if the user has no second factor that the codes could replace */
function requireFactor(person: SignedIn): SignedIn {
  if (hasVerifiedFactor(person.user)) return person;
  throw new AuthError(422, "mfa_factor_not_found", "Recovery codes need a verified second factor");
}
