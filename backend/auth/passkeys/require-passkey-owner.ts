import { AuthError } from "../auth-error.ts";
import type { Call } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { type Proved, requireRecentProof } from "../sessions/recent-proof.ts";
import { requirePermanentUser, requireSecondFactor, type SignedIn } from "../sessions/require-user.ts";

/** Who may have passkeys. @throws AuthError 404 where they are disabled, 403, 401 */
export async function requirePasskeyOwner(call: Call, service: AuthService): Promise<SignedIn> {
  requirePasskeys(service);
  return requirePermanentUser(call, service);
}

/** For adding and removing: needs the second factor, where there is one, and a recent proof. */
export async function requireProvedPasskeyOwner(call: Call, service: AuthService): Promise<Proved> {
  const person = await requirePasskeyOwner(call, service);
  requireSecondFactor(person, "AAL2 session is required to manage passkeys when MFA is enabled");
  return requireRecentProof(person, service);
}

export function requirePasskeys({ config }: AuthService): void {
  if (!config.passkeysEnabled) throw new AuthError(404, "passkey_disabled", "Passkeys are disabled");
}
