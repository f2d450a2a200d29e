import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { issueCode } from "../one-time-tokens/flow-state.ts";
import { bannedError, redeem, TOKEN_TYPES } from "../one-time-tokens/redeem.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readRedirect } from "../requests/redirect.ts";
import { answerSession } from "../sessions/session-answer.ts";
import { startSession } from "../sessions/start-session.ts";
import { OTHER_MAILBOX_NEXT } from "./verify.ts";

/** GET /verify: a link from a mail was opened. Leads to the site, with a session, a code for one, or what went wrong. */
export async function verifyLink(call: Call, service: AuthService): Promise<Reply> {
  const redirectTo = readRedirect(call, service.config);
  const token = call.query.get("token") ?? call.query.get("token_hash") ?? "";
  const type = call.query.get("type") ?? "";
  const exchangesCode = token.startsWith("pkce_");
  try {
    const found = await openLink(call, service, type, token.replace(/^pkce_/, ""), exchangesCode);
    if ("code" in found) return leadTo(redirectTo, found, "query");
    return leadTo(redirectTo, { ...found, sb: "" }, "fragment");
  } catch (cause) {
    if (!(cause instanceof AuthError)) throw cause;
    const error = cause.status === 403 ? "access_denied" : "invalid_request";
    const said = { error, error_code: cause.code, error_description: cause.message };
    return leadTo(redirectTo, { ...said, sb: "" }, "fragment", exchangesCode ? said : {});
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
    const redeemed = await redeem(service, query, { type, token, client: call.client });
    if (typeof redeemed === "string") return redeemed;
    if (exchangesCode) return { code: await issueCode(query, redeemed.user.id, type) };
    return startSession(run, redeemed.user, "otp", call.client);
  });
  if (outcome === "expired") throw new AuthError(403, "otp_expired", "Email link is invalid or has expired");
  if (outcome === "banned") throw bannedError();
  if (outcome === "other-mailbox-next") return { message: OTHER_MAILBOX_NEXT };
  if ("code" in outcome) return outcome;
  const { user: _, ...tokens } = await answerSession(service, outcome.user, outcome.session);
  return {
    ...Object.fromEntries(Object.entries(tokens).map(([name, value]) => [name, String(value)])),
    type,
  };
}

/** Tokens go into the fragment, which browsers send to no server. */
function leadTo(
  address: string,
  members: Record<string, string>,
  into: "query" | "fragment",
  alsoInQuery: Record<string, string> = {},
): Reply {
  const url = new URL(address);
  for (const [name, value] of Object.entries(into === "query" ? members : alsoInQuery)) {
    url.searchParams.set(name, value);
  }
  if (into === "fragment") url.hash = new URLSearchParams(members).toString();
  return { status: 303, headers: { location: url.href } };
}
