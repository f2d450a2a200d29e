import { AuthError } from "../../auth-error.ts";
import { issueCode } from "../../one-time-codes/flow-state.ts";
import { isInExchange } from "../../one-time-codes/one-time-token.ts";
import { bannedError, redeem, TOKEN_TYPES } from "../../one-time-codes/redeem.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readRedirect, redirect } from "../../requests/redirect.ts";
import { redirectRefusal } from "../../requests/redirect-refusal.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { withoutDevice } from "../../sessions/known-device.ts";
import { answerSession, toFragment } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { OTHER_MAILBOX_NEXT } from "./verify.ts";

/**
 * GET /verify: a mailed link was opened. Redirects to the site with a session, a code to exchange for one, or an error.
 */
export async function verifyLink(call: Call, service: AuthService): Promise<Reply> {
  const redirectTo = readRedirect(call, service.config);
  const token = call.query.get("token") ?? call.query.get("token_hash") ?? "";
  const type = call.query.get("type") ?? "";
  const exchangesCode = isInExchange(token);
  try {
    const found = await openLink(call, service, type, token, exchangesCode);
    if ("code" in found) return redirect(redirectTo, { query: found });
    // With PKCE, clients read messages from the query.
    return redirect(redirectTo, { query: exchangesCode ? found : {}, fragment: found });
  } catch (cause) {
    return redirectRefusal(redirectTo, cause, service, { inQuery: exchangesCode });
  }
}

async function openLink(
  call: Call,
  service: AuthService,
  type: string,
  token: string,
  exchangesCode: boolean,
): Promise<Record<string, string>> {
  if (!Object.hasOwn(TOKEN_TYPES, type)) {
    throw new AuthError(400, "validation_failed", "Verify requires a verification type");
  }
  await service.limits.take("verify", call.client.network);
  const outcome = await service.database.transaction(async (query, run) => {
    const redeemed = await redeem(service, query, { type, tokens: [token], client: call.client });
    if (typeof redeemed === "string") return redeemed;
    const { user, method, notice } = redeemed;
    if (exchangesCode) return { code: await issueCode(query, user.id, type), notice };
    return { started: await startSession(run, user, method, withoutDevice(call.client)), notice };
  });
  if (outcome === "expired") throw new AuthError(403, "otp_expired", "Email link is invalid or has expired");
  if (outcome === "banned") throw bannedError();
  if (outcome === "other-mailbox-next") return { message: OTHER_MAILBOX_NEXT };
  sendNotice(service, outcome.notice);
  if (outcome.code !== undefined) return { code: outcome.code };
  return { ...toFragment(await answerSession(service, outcome.started)), type };
}
