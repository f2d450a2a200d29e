import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import type { ProvidedPerson, Provider } from "../../provider-protocols/provider.ts";
import { type IdTokenFault, verifyIdToken } from "../../provider-protocols/verify-id-token.ts";
import { accountOf, allowAccount, type Here, linkTo } from "../../providers/account-of.ts";
import { findProvider } from "../../providers/find-provider.ts";
import type { LinkTarget } from "../../providers/provider-flow.ts";
import { requireLinking } from "../../providers/require-linking.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { flag, readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { replySession } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { unreachable } from "../providers/authorize.ts";

const Body = v.object({
  id_token: text,
  access_token: text,
  nonce: text,
  provider: text,
  client_id: text,
  issuer: text,
  link_identity: flag,
});
type Fields = v.InferOutput<typeof Body>;

/**
 * Providers whose ID tokens the hosted service accepts, with the issuer it names in errors; "" if it depends on the
 * operator's settings.
 */
const ISSUERS: Record<string, string> = {
  apple: "https://appleid.apple.com",
  azure: "",
  facebook: "https://www.facebook.com",
  google: "https://accounts.google.com",
  kakao: "https://kauth.kakao.com",
  keycloak: "",
};

/**
 * POST /token?grant_type=id_token: signs in with an ID token that a provider gave directly to an app or page (One Tap,
 * Sign in with Apple).
 */
export async function signInWithIdToken(call: Call, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, Body);
  if (fields.id_token === "") return inOAuth("invalid request", "id_token required");
  if (fields.provider === "" && (fields.client_id === "" || fields.issuer === "")) {
    return inOAuth("invalid request", "provider or client_id and issuer required");
  }
  const target = fields.link_identity ? await requireLinking(call, service) : null;
  await service.limits.take("signIn", call.client.network);
  const provider = await requireProvider(fields, service);
  const person = await verifyIdToken(service.connect, provider, {
    idToken: fields.id_token,
    nonce: fields.nonce,
    accessToken: fields.access_token,
  }).catch((cause) => {
    throw unreachable(service, provider, cause);
  });
  if ("error" in person) return inOAuth(person.error, person.description);
  return signIn(call, service, { provider, person, target });
}

type Verified = { provider: Provider; person: ProvidedPerson; target: LinkTarget | null };

async function signIn(
  call: Call,
  service: AuthService,
  { provider, person, target }: Verified,
): Promise<Reply> {
  const { config, database } = service;
  const { client } = call;
  const allowed = target ? null : await allowAccount(service, provider, person, client);
  const { notice, started } = await database.transaction(async (query, run) => {
    const here: Here = { query, run, config, client };
    const account = target
      ? await linkTo(here, target, provider, person)
      : await accountOf(here, provider, person, allowed);
    return {
      notice: account.notice,
      started: await startSession(run, account.user, "oauth", client, [], provider.id),
    };
  });
  sendNotice(service, notice);
  return replySession(service, started);
}

/** Finds the provider by name or issuer. @throws AuthError 400 if it is not configured or issues no ID tokens */
async function requireProvider(
  { provider: name, issuer }: Fields,
  service: AuthService,
): Promise<Provider & { protocol: "oidc" }> {
  const byIssuer = Object.keys(ISSUERS).find((known) => issuer !== "" && ISSUERS[known] === issuer);
  const provider = await findProvider(service, name || byIssuer || "");
  if (provider?.protocol === "oidc") return provider;
  const known = name || byIssuer || "";
  if (!Object.hasOwn(ISSUERS, known)) {
    throw validationFailed(`Custom OIDC provider "${name.slice(0, 50)}" not allowed`);
  }
  const named = ISSUERS[known] || issuer.slice(0, 100);
  throw new AuthError(400, "provider_disabled", `Provider (issuer "${named}") is not enabled`);
}

/** An OAuth error response (RFC 6749 §5.2), used by this grant only. */
function inOAuth(error: IdTokenFault["error"], description: string): Reply {
  return { status: 400, body: { error, error_description: description } };
}
