import { AuthError } from "../../auth-error.ts";
import type { Provider } from "../../provider-protocols/provider.ts";
import { type ProviderAnswer, redeemCode } from "../../provider-protocols/sign-in-at.ts";
import { accountOf, allowAccount, linkTo } from "../../providers/account-of.ts";
import { browserOf } from "../../providers/browser-cookie.ts";
import { findProvider, unsupported } from "../../providers/find-provider.ts";
import {
  flowOf,
  issueProviderCode,
  type ProviderFlow,
  secretsOf,
  takeProviderFlow,
} from "../../providers/provider-flow.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBytes } from "../../requests/read-body.ts";
import { redirect } from "../../requests/redirect.ts";
import { redirectRefusal } from "../../requests/redirect-refusal.ts";
import { isUuid } from "../../requests/uuid.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { withoutDevice } from "../../sessions/known-device.ts";
import { answerSession, toFragment } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { redirectUriOf, unreachable } from "./authorize.ts";

/**
 * GET and POST /callback: the redirect back from a provider. Redirects to the site with a session, a code or an error.
 */
export async function callback(call: Call, service: AuthService): Promise<Reply> {
  const returned = readReturned(call);
  let flow: (ProviderFlow & { isFresh: boolean }) | null = null;
  try {
    const state = returned.get("state") ?? "";
    if (state === "") throw new AuthError(400, "bad_oauth_callback", "OAuth state parameter missing");
    const [id, browser] = readState(state, call, service);
    flow =
      id === null ? null : await takeProviderFlow(service.database.query, id, service.config.flowStateExpiry);
    if (id === null || flow === null) throw badState("OAuth callback with invalid state");
    if (!flow.isFresh) throw badState("OAuth state has expired");
    return await finish(call, service, flow, { returned, id, browser });
  } catch (cause) {
    return redirectRefusal(flow?.redirectTo || service.config.siteUrl, cause, service);
  }
}

function badState(message: string): AuthError {
  return new AuthError(400, "bad_oauth_state", message);
}

const MAX_FORM_BYTES = 50_000;

/** Apple posts a form. */
function readReturned({ request, query }: Call): URLSearchParams {
  if (request.method !== "POST") return query;
  const body = readBytes(request);
  return new URLSearchParams(
    body === null || body.byteLength > MAX_FORM_BYTES ? "" : new TextDecoder().decode(body),
  );
}

/** Linking starts in a page that may be on another origin, in which case there is no cookie here. */
function readState(
  state: string,
  { request }: Call,
  { secret, config }: AuthService,
): [id: string | null, browser: string] {
  const browser = browserOf(request, config);
  for (const bearer of [browser, ""]) {
    const id = flowOf(state, bearer, secret);
    if (id !== null && isUuid(id)) return [id, bearer];
  }
  return [null, ""];
}

type Returned = { returned: URLSearchParams; id: string; browser: string };

async function finish(call: Call, service: AuthService, flow: ProviderFlow, from: Returned): Promise<Reply> {
  const { returned } = from;
  const error = returned.get("error");
  if (error) {
    const description = (returned.get("error_description") ?? "").slice(0, 300);
    const params = { error: error.slice(0, 100), error_description: description };
    return redirect(flow.redirectTo, { query: params, fragment: params });
  }
  if (!returned.get("code")) {
    throw new AuthError(400, "bad_oauth_callback", "OAuth callback with missing authorization code missing");
  }
  const provider = await findProvider(service, flow.provider);
  if (!provider) throw unsupported(flow.provider);
  const answer = await redeemCode(service.connect, provider, {
    returned,
    secrets: secretsOf(from.id, from.browser, service.secret),
    redirectUri: redirectUriOf(provider, service.config),
  }).catch((cause) => {
    throw unreachable(service, provider, cause);
  });
  return signIn(call, service, { flow, provider, answer });
}

type Outcome = { flow: ProviderFlow; provider: Provider; answer: ProviderAnswer };

async function signIn(call: Call, service: AuthService, { flow, provider, answer }: Outcome): Promise<Reply> {
  const { config, database } = service;
  const { client } = call;
  const { person, accessToken, refreshToken } = answer;
  const { challenge } = flow;
  const allowed = flow.linkTo ? null : await allowAccount(service, provider, person, client);
  const done = await database.transaction(async (query, run) => {
    const here = { query, run, config, client };
    const { user, notice } = flow.linkTo
      ? await linkTo(here, flow.linkTo, provider, person)
      : await accountOf(here, provider, person, allowed);
    if (challenge) {
      const code = await issueProviderCode(
        query,
        user.id,
        { provider: provider.id, challenge },
        answer,
        service,
      );
      return { notice, code };
    }
    return {
      notice,
      started: await startSession(run, user, "oauth", withoutDevice(client), [], provider.id),
    };
  });
  sendNotice(service, done.notice);
  if (done.code !== undefined) return redirect(flow.redirectTo, { query: { code: done.code } }, 302);
  const fragment = {
    ...toFragment(await answerSession(service, done.started)),
    provider_token: accessToken,
    ...(refreshToken && { provider_refresh_token: refreshToken }),
  };
  return redirect(flow.redirectTo, { fragment }, 302);
}
