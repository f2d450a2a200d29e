import { AuthError } from "../auth-error.ts";
import { REJECT } from "../hooks/hook-table.ts";
import type { Client } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";

type Attempt = { userId: string; factorId: string; factorType: string; valid: boolean };

/**
 * Reports each second factor attempt to the operator's hook, which may reject it and thereby end all sessions. Do not
 * call it inside a transaction: that would hold a connection for as long as the hook takes.
 * @throws AuthError 403
 */
export async function askFactorHook(
  { hooks, database }: Pick<AuthService, "hooks" | "database">,
  { userId, factorId, factorType, valid }: Attempt,
  { address }: Client,
): Promise<void> {
  const input = { user_id: userId, factor_id: factorId, factor_type: factorType, valid };
  const answer = await hooks.run("factorAttempt", input, address);
  if (answer?.decision !== REJECT) return;
  await database.query("delete from auth.sessions where user_id = $1", [userId]);
  const message = answer.message || "Further MFA verification attempts will be rejected.";
  throw new AuthError(403, "mfa_verification_rejected", message);
}
