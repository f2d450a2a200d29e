import * as v from "valibot";
import type { Query } from "#backend/postgres/database.ts";
import { validationFailed } from "../../auth-error.ts";
import { describeApplication } from "../../oauth-server/application.ts";
import {
  type Authorization,
  approve,
  claimAuthorization,
  deny,
  findAuthorization,
} from "../../oauth-server/authorization.ts";
import { isCovered, storeConsent } from "../../oauth-server/consent.ts";
import { redirectBack } from "../../oauth-server/redirect-back.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { isAllowed } from "../../requests/redirect.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { isRecent, requireRecentProof } from "../../sessions/recent-proof.ts";
import { requirePermanentUser, requireSecondFactor, type SignedIn } from "../../sessions/require-user.ts";

const Body = v.object({ action: text });

/**
 * GET /oauth/authorizations/{id}: what an application requests, or the redirect if the user has already granted as
 * much.
 */
export async function describeAuthorization(call: Call, service: AuthService): Promise<Reply> {
  const person = await requireAsked(call, service);
  const { user } = person;
  const { id = "" } = call.params;
  const mayGoOn = isRecent(person, service.config);
  const body = await service.database.transaction(async (query) => {
    const request = await claimAuthorization(query, id, user.id);
    if (mayGoOn && (await isCovered(query, user.id, request))) return finishConsent(query, request, service);
    return {
      authorization_id: request.authorization_id,
      redirect_uri: request.redirect_uri,
      client: describeApplication(request),
      user: { id: user.id, email: user.email ?? "" },
      scope: request.scope,
    };
  });
  return { status: 200, body };
}

/**
 * POST /oauth/authorizations/{id}/consent: the user's decision; resolves with the URL to redirect to. A grant lasts
 * until it is revoked, so approving requires recent proof: a stolen token is not enough.
 */
export async function answerAuthorization(call: Call, service: AuthService): Promise<Reply> {
  const { action } = readBody(call.request, Body);
  const person = await requireAsked(call, service);
  const { user } = person;
  if (action !== "approve" && action !== "deny") throw validationFailed("action must be 'approve' or 'deny'");
  if (action === "approve") await requireRecentProof(person, service);
  const { id = "" } = call.params;
  const body = await service.database.transaction(async (query) => {
    const request = await findAuthorization(query, id, user.id);
    if (action === "approve") {
      await storeConsent(query, user.id, request);
      return finishConsent(query, request, service);
    }
    await deny(query, request);
    const denial = {
      error: "access_denied",
      error_description: "User denied the request",
      state: request.state,
    };
    return { redirect_url: redirectBack(request.redirect_uri, denial, service.config) };
  });
  return { status: 200, body };
}

async function finishConsent(query: Query, request: Authorization, { config }: AuthService) {
  const code = await approve(query, request);
  return { redirect_url: redirectBack(request.redirect_uri, { code, state: request.state }, config) };
}

/**
 * Requires a permanent account, with the second factor used if there is one, and a request from one of the site's
 * pages.
 */
async function requireAsked(call: Call, service: AuthService): Promise<SignedIn> {
  const { origin } = call.request.headers;
  if (origin && !isAllowed(origin, service.config)) throw validationFailed("unauthorized request origin");
  const person = await requirePermanentUser(call, service);
  requireSecondFactor(person, "AAL2 session is required to let an application in when MFA is enabled");
  return person;
}
