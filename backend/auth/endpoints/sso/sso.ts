import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { type CodeChallenge, readChallenge } from "../../one-time-codes/flow-state.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { flag, readBody, text } from "../../requests/read-body.ts";
import { isAllowed, redirectAway } from "../../requests/redirect.ts";
import { isUuid } from "../../requests/uuid.ts";
import { connectTo, requireSaml } from "../../saml/service-provider.ts";
import { findProvider, type SamlProvider } from "../../saml/sso-provider.ts";
import type { AuthService } from "../../service/auth-service.ts";

const Body = v.object({
  provider_id: text,
  domain: text,
  redirect_to: text,
  skip_http_redirect: flag,
  code_challenge: text,
  code_challenge_method: text,
});
type Fields = v.InferOutput<typeof Body>;

/** POST /sso: returns the identity provider's sign-in URL for an email domain or provider id, with a signed request. */
export async function beginSingleSignOn(call: Call, service: AuthService): Promise<Reply> {
  const { config, database, limits } = service;
  requireSaml(config);
  const fields = readBody(call.request, Body);
  const challenge = readChallenge(fields.code_challenge, fields.code_challenge_method);
  await limits.take("sso", call.client.network);
  const provider = await requireProvider(fields, service);
  const requestId = `_${randomUUID()}`;
  const saml = await connectTo(provider, config);
  saml.options.generateUniqueId = () => requestId;
  const redirectTo = isAllowed(fields.redirect_to, config) ? fields.redirect_to : config.siteUrl;
  const state = randomUUID();
  await database.transaction(async (query) => {
    const flowId = challenge && randomUUID();
    if (challenge && flowId) await query(...insertFlow(flowId, challenge));
    await query(
      `insert into auth.saml_relay_states
         (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, now(), now())`,
      [state, provider.id, requestId, redirectTo, flowId],
    );
  });
  const url = await saml.getAuthorizeUrlAsync(state, undefined, {});
  return fields.skip_http_redirect ? { status: 200, body: { url } } : redirectAway(url, 303);
}

/** A PKCE flow that is not assigned to a user yet. */
function insertFlow(id: string, { challenge, method }: CodeChallenge): [string, string[]] {
  return [
    `insert into auth.flow_state
       (id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method, created_at, updated_at)
     values ($1, $2, $3, $4, 'sso/saml', 'sso/saml', now(), now())`,
    [id, randomUUID(), method, challenge],
  ];
}

async function requireProvider(
  { provider_id: id, domain }: Fields,
  { database }: AuthService,
): Promise<SamlProvider> {
  if (id !== "" && domain !== "") throw validationFailed("Only one of provider_id or domain supported");
  if (id === "" && domain === "") throw validationFailed("A provider_id or domain needs to be provided");
  if (id !== "" && !isUuid(id)) throw validationFailed("provider_id must be an UUID");
  const provider = await findProvider(database.query, id === "" ? "domain" : "id", id || domain);
  if (!provider) {
    const message = id === "" ? "No SSO provider assigned for this domain" : "No such SSO provider";
    throw new AuthError(404, "sso_provider_not_found", message);
  }
  requireEnabled(provider);
  return provider;
}

/** @throws AuthError 404 if the provider is disabled */
export function requireEnabled({ disabled }: SamlProvider): void {
  if (!disabled) return;
  const message = "SSO Provider assigned for this domain is currently disabled";
  throw new AuthError(404, "sso_provider_disabled", message);
}
