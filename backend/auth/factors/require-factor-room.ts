import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { SignedIn } from "../sessions/require-user.ts";

/**
 * To be called with the person locked. A new factor beside a verified one needs a session that used one: otherwise whoever
 * has the password alone could add a factor.
 * @throws AuthError 422 where there are too many, 403
 */
export async function requireFactorRoom(
  query: Query,
  { user, session }: SignedIn,
  config: Pick<AuthConfig, "maxFactors" | "maxVerifiedFactors">,
  { isNew }: { isNew: boolean },
): Promise<void> {
  const [count] = await query(
    "select count(*) as all, count(*) filter (where status = 'verified') as verified from auth.mfa_factors where user_id = $1",
    [user.id],
  );
  const verified = Number(count?.verified);
  if ((isNew && Number(count?.all) >= config.maxFactors) || verified >= config.maxVerifiedFactors) {
    const message = "Maximum number of verified factors reached, unenroll to continue";
    throw new AuthError(422, "too_many_enrolled_mfa_factors", message);
  }
  if (verified > 0 && session.aal !== "aal2") {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}
