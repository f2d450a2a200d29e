import type { Query } from "#backend/postgres/database.ts";
import { type Act, recorded } from "../audit/recorded.ts";

/** Deletes a factor and lowers the sessions it raised: they continue at aal1. */
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
