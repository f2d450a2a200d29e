import type { Call } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { requireManualLinking } from "../service/features.ts";
import { requireRecentProof } from "../sessions/recent-proof.ts";
import { requireSecondFactor, requireUser } from "../sessions/require-user.ts";
import type { LinkTarget } from "./provider-flow.ts";

/** The account to which its owner may link an identity now. @throws AuthError if they may not, or not yet */
export async function requireLinking(call: Call, service: AuthService): Promise<LinkTarget> {
  requireManualLinking(service);
  const person = await requireUser(call, service);
  requireSecondFactor(person, "AAL2 session is required to link an identity when MFA is enabled");
  const { user, session } = await requireRecentProof(person, service);
  return { userId: user.id, sessionId: session.id };
}
