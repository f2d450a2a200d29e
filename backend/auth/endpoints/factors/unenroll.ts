import { AuthError } from "../../auth-error.ts";
import { removeFactor } from "../../factors/remove-factor.ts";
import { requireFactor } from "../../factors/require-factor.ts";
import type { Notice } from "../../messages/notices.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireRecentProof } from "../../sessions/recent-proof.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";

/** DELETE /factors/{id}: removing a verified factor requires an aal2 session. */
export async function unenrollFactor(call: Call, service: AuthService): Promise<Reply> {
  const own = await requireFactor(call, service);
  const { actor, factor, session } = own;
  if (factor.status === "verified" && session.aal !== "aal2") {
    throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
  }
  // An unverified factor protects nothing.
  if (factor.status === "verified") await requireRecentProof(own, service);
  const notice = await service.database.transaction(async (query) => {
    await removeFactor(query, factor.id, {
      action: "factor_unenrolled",
      actor,
      traits: { factor_id: factor.id, factor_status: factor.status, session_id: session.id },
    });
    if (factor.status !== "verified") return null;
    const notice: Notice = { kind: "factor_removed", factorType: factor.factor_type ?? "" };
    return createOwnerNotice(service.config, query, own.user, notice);
  });
  sendNotice(service, notice);
  return { status: 200, body: { id: factor.id } };
}
