import { randomUUID } from "node:crypto";
import type { Run } from "#backend/postgres/database.ts";
import { recorded } from "../audit/recorded.ts";
import type { AuthConfig } from "../auth-config.ts";
import { AuthError } from "../auth-error.ts";
import { type SessionRow, sessionById } from "../sessions/session-row.ts";
import { type UserRow, userById } from "../users/user-row.ts";
import { type FactorType, METHODS } from "./factor-type.ts";
import type { OwnFactor } from "./require-factor.ts";

export type Raised = { user: UserRow; session: SessionRow };

/** A factor was used rightly: it counts from now on, and its session is one of two factors. */
export async function raiseSession(run: Run, own: OwnFactor, config: AuthConfig): Promise<Raised> {
  const { user, session, factor, actor } = own;
  await requireMayCount(run, own, config);
  const traits = { factor_id: factor.id, factor_type: factor.factor_type };
  const [text, values] = recorded(
    { action: "verification_attempted", actor, traits },
    "update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1",
    [factor.id],
  );
  const rows = await run([
    { text, values },
    {
      text: "delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type::text = $2",
      values: [user.id, factor.factor_type ?? null],
    },
    // What was signed in with the first factor alone is no longer enough.
    {
      text: "delete from auth.sessions where user_id = $1 and id <> $2 and aal = 'aal1'",
      values: [user.id, session.id],
    },
    {
      text: `
        update auth.sessions set aal = 'aal2', factor_id = $2, refreshed_at = now() at time zone 'utc', updated_at = now(),
          refresh_token_counter = coalesce(refresh_token_counter, 0) + 1
        where id = $1`,
      values: [session.id, factor.id],
    },
    {
      text: `
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values ($1, $2, now(), now(), $3)
        on conflict (session_id, authentication_method) do update set updated_at = now()`,
      values: [randomUUID(), session.id, METHODS[factor.factor_type as FactorType]],
    },
    sessionById(session.id),
    userById(user.id),
  ]);
  const [[raised], [found]] = rows.slice(-2) as [[SessionRow], [UserRow]];
  return { user: found, session: raised };
}

/**
 * A new factor counts beside others only where one of those was used: else whoever has the password alone could bring
 * a factor along, begun before the owner's own.
 */
async function requireMayCount(
  run: Run,
  { user, session, factor }: OwnFactor,
  config: AuthConfig,
): Promise<void> {
  if (factor.status === "verified") return;
  const [, [count] = []] = await run([
    { text: "select from auth.users where id = $1 for update", values: [user.id] },
    {
      text: "select count(*) as verified from auth.mfa_factors where user_id = $1 and status = 'verified'",
      values: [user.id],
    },
  ]);
  const verified = Number(count?.verified);
  if (verified >= config.maxVerifiedFactors) {
    const message = "Maximum number of verified factors reached, unenroll to continue";
    throw new AuthError(422, "too_many_enrolled_mfa_factors", message);
  }
  if (verified > 0 && session.aal !== "aal2") {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}
