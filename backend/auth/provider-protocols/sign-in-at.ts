import * as oidc from "openid-client";
import { readClaims } from "./claims.ts";
import type { Connect } from "./connect-provider.ts";
import type { ProvidedPerson, Provider, ReadAsPerson } from "./provider.ts";

/** The secrets of one sign-in, derived from its id with a key of ours, so none of them is stored. */
export type FlowSecrets = { state: string; verifier: string; nonce: string };

/** The user, plus the provider's tokens for clients that need them. */
export type ProviderAnswer = {
  person: ProvidedPerson;
  accessToken: string;
  refreshToken: string | null;
};

/** The URL that the browser is sent to for signing in at the provider. */
export async function authorizationUrl(
  connect: Connect,
  provider: Provider,
  {
    secrets,
    redirectUri,
    scopes,
    params,
  }: { secrets: FlowSecrets; redirectUri: string; scopes: readonly string[]; params: Record<string, string> },
): Promise<string> {
  const { configuration } = await connect(provider);
  const { state, nonce, verifier } = secrets;
  const url = oidc.buildAuthorizationUrl(configuration, {
    ...params,
    ...provider.params,
    redirect_uri: redirectUri,
    scope: [...new Set([...provider.scopes, ...scopes])].join(" "),
    state,
    ...(usesNonce(provider) && { nonce }),
    ...(provider.pkce && {
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
  });
  return url.href;
}

/** Exchanges the code from the provider's redirect, and reads the user's identity. @throws the provider's error */
export async function redeemCode(
  connect: Connect,
  provider: Provider,
  {
    secrets,
    redirectUri,
    returned,
  }: { secrets: FlowSecrets; redirectUri: string; returned: URLSearchParams },
): Promise<ProviderAnswer> {
  const { configuration } = await connect(provider);
  const isOpenId = provider.protocol === "oidc";
  const url = new URL(redirectUri);
  for (const name of ["code", "state", ...(isOpenId ? ["iss"] : [])]) {
    const value = returned.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  const tokens = await oidc.authorizationCodeGrant(configuration, url, {
    expectedState: secrets.state,
    ...(provider.pkce && { pkceCodeVerifier: secrets.verifier }),
    ...(isOpenId && { idTokenExpected: true }),
    ...(usesNonce(provider) && { expectedNonce: secrets.nonce }),
  });
  const person = isOpenId
    ? await readOpenId(configuration, provider, tokens)
    : await provider.readPerson(readAs(configuration, tokens.access_token));
  if (person.subject === "") throw new Error("the provider did not say who it is");
  return { person, accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? null };
}

/**
 * A provider whose nonces must not be checked gets none, since one that comes back unexpectedly is refused; unless
 * nothing else binds its code to this sign-in.
 */
function usesNonce({ protocol, skipNonceCheck, pkce }: Provider): boolean {
  return protocol === "oidc" && !(skipNonceCheck && pkce);
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

/** Many providers return the email address only at the userinfo endpoint (OpenID Connect Core 1.0, §5.4). */
async function readOpenId(
  configuration: oidc.Configuration,
  { mapping, keptClaims }: Provider & { protocol: "oidc" },
  tokens: Tokens,
): Promise<ProvidedPerson> {
  const claims = tokens.claims() ?? ({} as oidc.IDToken);
  const person = readClaims(claims, mapping, keptClaims);
  if (person.email !== null || !configuration.serverMetadata().userinfo_endpoint) return person;
  const info = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return readClaims({ ...claims, ...info }, mapping, keptClaims);
}

function readAs(configuration: oidc.Configuration, accessToken: string): ReadAsPerson {
  return async (address, headers = {}) => {
    const response = await oidc.fetchProtectedResource(
      configuration,
      accessToken,
      new URL(address),
      "GET",
      undefined,
      new Headers({ accept: "application/json", ...headers }),
    );
    if (!response.ok) throw new Error(`the provider answered with ${response.status}`);
    return response.json();
  };
}
