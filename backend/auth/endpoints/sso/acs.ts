import type { Query } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../../auth-error.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBytes } from "../../requests/read-body.ts";
import { isAllowed, redirect } from "../../requests/redirect.ts";
import { redirectRefusal } from "../../requests/redirect-refusal.ts";
import { isUuid } from "../../requests/uuid.ts";
import { emailOf, mapAttributes, subjectOf } from "../../saml/attributes.ts";
import { withFreshMetadata } from "../../saml/refresh-metadata.ts";
import { issuerOf } from "../../saml/safe-xml.ts";
import { connectTo, requireSaml, serviceAddresses, serviceKeys } from "../../saml/service-provider.ts";
import { findProvider, type SamlProvider } from "../../saml/sso-provider.ts";
import { startSamlSession } from "../../saml/start-saml-session.ts";
import { AssertionError, type Verified, verifyAssertion } from "../../saml/verify-assertion.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { withoutDevice } from "../../sessions/known-device.ts";
import { answerSession, toFragment } from "../../sessions/session-answer.ts";
import { readEmail } from "../../users/address.ts";
import { UsedProofError, type VerifiedIdentity, withAccount } from "../../users/external-account.ts";
import { requireEnabled } from "./sso.ts";

/** A sign-in started here (SP-initiated) or by the identity provider (IdP-initiated). */
type Begun = {
  provider: SamlProvider;
  requestId: string | null;
  redirectTo: string;
  flowId: string | null;
};

/**
 * POST /sso/saml/acs: receives the identity provider's response from the browser. Redirects to the site with a session,
 * a code or an error.
 */
export async function consumeAssertion(call: Call, service: AuthService): Promise<Reply> {
  const { config, limits } = service;
  requireSaml(config);
  try {
    await limits.take("assertion", call.client.network);
    return await signIn(call, service);
  } catch (cause) {
    const refusal = cause instanceof UsedProofError ? invalid("it was used already") : cause;
    return redirectRefusal(config.siteUrl, refusal, service);
  }
}

const invalid = (why: string) => validationFailed(`SAML Assertion is not valid: ${why}`);

async function signIn(call: Call, service: AuthService): Promise<Reply> {
  const { config } = service;
  const form = new URLSearchParams(Buffer.from(readBytes(call.request) ?? []).toString("utf8"));
  const response = form.get("SAMLResponse") ?? "";
  if (response === "") throw validationFailed("SAMLResponse is missing");
  const begun = await readBegun(form.get("RelayState") ?? "", response, service);
  requireEnabled(begun.provider);
  const settings = requireSaml(config);
  const provider = await withFreshMetadata(service, begun.provider, settings);
  const expected = {
    ...serviceAddresses(config),
    issuer: provider.entityId,
    requestId: begun.requestId,
  };
  const keys = settings.allowEncrypted ? serviceKeys(settings) : [];
  const connect = (key: string | undefined) => connectTo(provider, config, key);
  const verified = await verifyAssertion({ connect, keys }, response, expected).catch((cause) => {
    throw cause instanceof AssertionError ? invalid(cause.message) : cause;
  });
  const asserted = toVerifiedIdentity(provider, verified);
  const outcome = await withAccount(service, call.client, asserted, async (query, run, user) => {
    const ends = verified.sessionEnds?.toISOString() ?? null;
    if (begun.flowId !== null) return { code: await issueFlowCode(query, begun.flowId, user.id, ends) };
    const { provider } = asserted.identity;
    const client = withoutDevice(call.client);
    return { started: await startSamlSession([query, run], user, client, { provider, ends }) };
  });
  if (outcome.code !== undefined) return redirect(begun.redirectTo, { query: { code: outcome.code } });
  const fragment = toFragment(await answerSession(service, outcome.started));
  return redirect(begun.redirectTo, { fragment });
}

/** A request can be answered only once: its relay state is deleted, whatever the outcome. */
async function readBegun(relayState: string, response: string, service: AuthService): Promise<Begun> {
  const { config, database } = service;
  if (!isUuid(relayState)) return readUnasked(relayState, response, service);
  const [row] = await database.query(
    `delete from auth.saml_relay_states where id = $1
     returning sso_provider_id, request_id, redirect_to, flow_state_id,
       created_at > now() - make_interval(secs => $2) as fresh`,
    [relayState, String(requireSaml(config).relayStateValidity)],
  );
  const again = "try logging in again?";
  if (!row) {
    const message = `SAML RelayState does not exist, ${again}`;
    throw new AuthError(404, "saml_relay_state_not_found", message);
  }
  if (row.fresh !== "t") {
    throw new AuthError(
      422,
      "saml_relay_state_expired",
      "SAML RelayState has expired. Try logging in again?",
    );
  }
  const provider = await findProvider(database.query, "id", row.sso_provider_id as string);
  return {
    provider: provider as SamlProvider,
    requestId: row.request_id as string,
    redirectTo: row.redirect_to ?? config.siteUrl,
    flowId: row.flow_state_id ?? null,
  };
}

/** IdP-initiated, from the provider's own list of applications; the relay state may be a URL of the site. */
async function readUnasked(
  relayState: string,
  response: string,
  { config, database }: AuthService,
): Promise<Begun> {
  if (relayState !== "" && !URL.canParse(relayState)) {
    throw validationFailed("SAML RelayState is not a valid UUID or URL");
  }
  const issuer = issuerOf(response, invalid);
  const provider = await findProvider(database.query, "entity", issuer);
  if (!provider) {
    const message = "A SAML connection has not been established with this Identity Provider";
    throw new AuthError(404, "saml_idp_not_found", message);
  }
  const redirectTo = isAllowed(relayState, config) ? relayState : config.siteUrl;
  return { provider, requestId: null, redirectTo, flowId: null };
}

/** Standard claims; all others are stored as `custom_claims`. */
const CLAIMS = new Set(
  (
    "name given_name family_name middle_name nickname preferred_username profile picture website gender birthdate " +
    "zoneinfo locale full_name user_name avatar_url"
  ).split(" "),
);
const MAX_CLAIMS_BYTES = 4_000;

function toVerifiedIdentity(provider: SamlProvider, { id, until, statements }: Verified): VerifiedIdentity {
  const subject = subjectOf(statements);
  if (subject === "") {
    const message =
      "SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID";
    throw new AuthError(400, "saml_assertion_no_user_id", `${message} uniquely identifying this user`);
  }
  const { email: mapped, ...claims } = mapAttributes(statements, provider.attributeMapping);
  const address = typeof mapped === "string" && mapped !== "" ? mapped : emailOf(statements);
  if (address === "") {
    const message = "SAML Assertion does not contain an email address";
    throw new AuthError(400, "saml_assertion_no_email", message);
  }
  if (Buffer.byteLength(JSON.stringify(claims)) > MAX_CLAIMS_BYTES)
    throw invalid("its attributes are too long");
  const email = readEmail(address);
  const own = Object.entries(claims).filter(([name]) => CLAIMS.has(name));
  const custom = Object.entries(claims).filter(([name]) => !CLAIMS.has(name));
  const data = {
    ...Object.fromEntries(own),
    iss: provider.entityId,
    sub: subject,
    email,
    email_verified: true,
    phone_verified: false,
    ...(custom.length > 0 && { custom_claims: Object.fromEntries(custom) }),
  };
  return {
    identity: { provider: `sso:${provider.id}`, providerId: subject, data },
    account: { email, emailConfirmed: true, isSsoUser: true },
    proof: { text: `saml ${provider.entityId} ${id}`, until },
  };
}

/**
 * Assigns the flow to the user; only the client with the verifier can redeem its code. The hosted service's table has
 * no column for the session's end, but one for a referrer, which no flow of SAML has.
 */
async function issueFlowCode(
  query: Query,
  flowId: string,
  userId: string,
  ends: string | null,
): Promise<string> {
  const [row] = await query(
    `update auth.flow_state set user_id = $2, referrer = $3, auth_code_issued_at = now(), updated_at = now()
     where id = $1 and user_id is null returning auth_code`,
    [flowId, userId, ends],
  );
  if (!row?.auth_code) throw invalid("its request was answered already");
  return row.auth_code;
}
