import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { requireUser, type SignedIn } from "../requests/authenticate.ts";
import type { Call } from "../requests/call.ts";
import { hasVerifiedFactor } from "../users/user-row.ts";

/** Who may look after passkeys of their own. @throws AuthError 404 where there are none, 403, 401 */
export async function requireKeeper(call: Call, service: AuthService): Promise<SignedIn> {
  requirePasskeys(service);
  const person = await requireUser(call.request, service);
  if (person.user.is_anonymous === "t") {
    throw new AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions");
  }
  return person;
}

/** For adding and removing: who has a second factor must have used it. */
export async function requireRaisedKeeper(call: Call, service: AuthService): Promise<SignedIn> {
  const person = await requireKeeper(call, service);
  if (hasVerifiedFactor(person.user) && person.session.aal !== "aal2") {
    const message = "AAL2 session is required to manage passkeys when MFA is enabled";
    throw new AuthError(403, "insufficient_aal", message);
  }
  return person;
}

export function requirePasskeys({ config }: AuthService): void {
  if (!config.passkeysEnabled) throw new AuthError(404, "passkey_disabled", "Passkeys are disabled");
}
