import type { Query } from "#backend/postgres/database.ts";
import { type Act, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Call, Reply } from "../requests/call.ts";
import { requireFactor } from "./require-factor.ts";

/** DELETE /factors/{id}: one that counts is removed only by a session that used one. */
export async function unenrollFactor(call: Call, service: AuthService): Promise<Reply> {
  const { actor, factor, session } = await requireFactor(call, service);
  if (factor.status === "verified" && session.aal !== "aal2") {
    throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
  }
  await service.database.transaction((query) =>
    removeFactor(query, factor.id, {
      action: "factor_unenrolled",
      actor,
      traits: { factor_id: factor.id, factor_status: factor.status, session_id: session.id },
    }),
  );
  return { status: 200, body: { id: factor.id } };
}

/** Takes back what the factor raised: those sessions go on with the first factor alone. */
export async function removeFactor(query: Query, factorId: string, act: Act): Promise<void> {
  await query(
    `delete from auth.mfa_amr_claims using auth.sessions, auth.mfa_factors
     where mfa_factors.id = $1 and sessions.factor_id = mfa_factors.id and mfa_amr_claims.session_id = sessions.id
       and mfa_amr_claims.authentication_method in (mfa_factors.factor_type::text, 'mfa/' || mfa_factors.factor_type::text)`,
    [factorId],
  );
  await query(
    "update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = $1",
    [factorId],
  );
  await query(...recorded(act, "delete from auth.mfa_factors where id = $1", [factorId]));
}
