import type { Call } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { type Proved, requireRecentProof } from "../sessions/recent-proof.ts";
import { requirePermanentUser, requireSecondFactor } from "../sessions/require-user.ts";

/** For adding and removing passkeys: requires the second factor, if there is one, and recent proof. */
export async function requireProvedPasskeyOwner(call: Call, service: AuthService): Promise<Proved> {
  const person = await requirePermanentUser(call, service);
  requireSecondFactor(person, "AAL2 session is required to manage passkeys when MFA is enabled");
  return requireRecentProof(person, service);
}
