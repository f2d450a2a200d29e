import { randomUUID } from "node:crypto";
import type { Query, Run, Step } from "#backend/postgres/database.ts";
import { recorded } from "../audit/recorded.ts";
import type { Notice } from "../messages/notices.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireRecentProof } from "../sessions/recent-proof.ts";
import { type SessionRow, sessionById } from "../sessions/session-row.ts";
import { createOwnerNotice, type OwnerNotice } from "../users/owner-notice.ts";
import { lockUser, type UserRow, userById } from "../users/user-row.ts";
import { type FactorType, METHODS } from "./factor-type.ts";
import type { OwnFactor } from "./require-factor.ts";
import { requireFactorRoom } from "./require-factor-room.ts";

/** `notice` is for the account's owner if the factor is new. */
export type SteppedUpSession = { user: UserRow; session: SessionRow; notice: OwnerNotice | null };

const dropUnverified =
  "delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type::text = $2";

const dropLowSessions = "delete from auth.sessions where user_id = $1 and id <> $2 and aal = 'aal1'";

const raise = `
  update auth.sessions set aal = 'aal2', factor_id = $2, refreshed_at = now() at time zone 'utc', updated_at = now(),
    refresh_token_counter = coalesce(refresh_token_counter, 0) + 1
  where id = $1`;

const addMethod = `
  insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
  values ($1, $2, now(), now(), $3)
  on conflict (session_id, authentication_method) do update set updated_at = now()`;

type Used = { userId: string; sessionId: string; factorId: string | null; method: string };

/** The steps that raise a session to aal2; the last two rows are the session and its user. */
export function stepUpSteps({ userId, sessionId, factorId, method }: Used): Step[] {
  return [
    // Sessions authenticated with the first factor alone no longer suffice.
    { text: dropLowSessions, values: [userId, sessionId] },
    { text: raise, values: [sessionId, factorId] },
    { text: addMethod, values: [randomUUID(), sessionId, method] },
    sessionById(sessionId),
    userById(userId),
  ];
}

/** Marks a factor as verified after a successful use, and raises its session to aal2. */
export async function stepUpSession(
  query: Query,
  run: Run,
  own: OwnFactor,
  service: AuthService,
): Promise<SteppedUpSession> {
  const { user, session, factor, actor } = own;
  const isNew = factor.status !== "verified";
  if (isNew) {
    const proved = await requireRecentProof(own, service);
    await lockUser(query, user.id);
    await requireFactorRoom(query, proved, service.config, { isNew: false });
  }
  const traits = { factor_id: factor.id, factor_type: factor.factor_type };
  const [text, values] = recorded(
    { action: "verification_attempted", actor, traits },
    "update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1",
    [factor.id],
  );
  const method = METHODS[factor.factor_type as FactorType];
  const rows = await run([
    { text, values },
    { text: dropUnverified, values: [user.id, factor.factor_type] },
    ...stepUpSteps({ userId: user.id, sessionId: session.id, factorId: factor.id, method }),
  ]);
  const [[raised], [found]] = rows.slice(-2) as [[SessionRow], [UserRow]];
  const since = factor.created_at ?? null;
  const factorNotice: Notice = { kind: "factor", factorType: traits.factor_type ?? "" };
  const notice = isNew ? await createOwnerNotice(service.config, query, user, factorNotice, since) : null;
  return { user: found, session: raised, notice };
}
