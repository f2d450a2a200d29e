import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { SignedIn } from "../sessions/require-user.ts";

/**
 * Call it with the user locked. If the user has a verified factor, adding another requires an aal2 session; otherwise
 * the password alone would be enough to add one.
 * @throws AuthError 422 if there are too many, 403 without aal2
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
