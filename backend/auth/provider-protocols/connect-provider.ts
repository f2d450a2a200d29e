import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from "jose";
import * as oidc from "openid-client";
import { createByteCache } from "#backend/memory/byte-cache.ts";
import type { Provider } from "./provider.ts";
import { createProviderFetch } from "./provider-fetch.ts";

/** A provider's metadata, and the keys that sign its ID tokens; null if it has none. */
type Connection = { configuration: oidc.Configuration; keys: JWTVerifyGetKey | null };

/** Discovers a provider's endpoints and keys, and caches them. */
export type Connect = (provider: Provider) => Promise<Connection>;

const REMEMBERED_MS = 3_600_000;
const REMEMBERED_BYTES = 20_000_000;
/** The approximate size of the metadata and keys. */
const CONNECTION_BYTES = 100_000;
const CLOCK_TOLERANCE_SECONDS = 30;

export function createConnect(): Connect {
  const known = createByteCache<Promise<Connection>>({
    maxBytes: REMEMBERED_BYTES,
    sizeOf: () => CONNECTION_BYTES,
    lifetime: REMEMBERED_MS,
  });
  return (provider) => {
    const key = keyOf(provider);
    const remembered = known.get(key);
    if (remembered) return remembered;
    const connecting = connect(provider);
    known.set(key, connecting);
    // A failed connection is not cached.
    connecting.catch(() => known.get(key) === connecting && known.delete(key));
    return connecting;
  };
}

/** Everything a connection depends on, so that a changed provider gets a new connection. */
function keyOf({ id, clientIds, secret, isTrusted, pkce, ...rest }: Provider): string {
  const where =
    rest.protocol === "oidc" ? [rest.issuer, rest.discoveryUrl] : [rest.authorizationUrl, rest.tokenUrl];
  return JSON.stringify([id, clientIds[0], secret, isTrusted, pkce, rest.protocol, ...where]);
}

async function connect(provider: Provider): Promise<Connection> {
  const fetch = createProviderFetch({ publicOnly: !provider.isTrusted });
  const server =
    provider.protocol === "oidc"
      ? await discover(provider, fetch)
      : {
          issuer: new URL(provider.authorizationUrl).origin,
          authorization_endpoint: provider.authorizationUrl,
          token_endpoint: provider.tokenUrl,
        };
  const configuration = new oidc.Configuration(
    server,
    provider.clientIds[0],
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientSecret(server, provider),
  );
  configuration[oidc.customFetch] = asOpenIdFetch(fetch);
  if (allowsPlainHttp(provider)) oidc.allowInsecureRequests(configuration);
  // Verifies the signature even if the token came directly from the provider.
  if (provider.protocol === "oidc") oidc.enableNonRepudiationChecks(configuration);
  const keys = server.jwks_uri
    ? createRemoteJWKSet(new URL(server.jwks_uri), { [joseFetch]: fetch as typeof globalThis.fetch })
    : null;
  return { configuration, keys };
}

type ProviderFetch = ReturnType<typeof createProviderFetch>;

/** @throws if the metadata names another issuer */
async function discover(
  provider: Provider & { protocol: "oidc" },
  fetch: ProviderFetch,
): Promise<oidc.ServerMetadata> {
  const { issuer, discoveryUrl, clientIds } = provider;
  const found = await oidc.discovery(new URL(discoveryUrl ?? issuer), clientIds[0], undefined, oidc.None(), {
    [oidc.customFetch]: asOpenIdFetch(fetch),
    execute: allowsPlainHttp(provider) ? [oidc.allowInsecureRequests] : [],
  });
  const server = found.serverMetadata();
  if (server.issuer.replace(/\/$/, "") !== issuer.replace(/\/$/, "")) {
    throw new Error("the provider's description names another issuer");
  }
  return { ...server };
}

/** Only if the operator configured an http URL, for a provider on the same machine. */
function allowsPlainHttp(provider: Provider): boolean {
  const address = provider.protocol === "oidc" ? provider.issuer : provider.tokenUrl;
  return provider.isTrusted && address.startsWith("http:");
}

function clientSecret(server: oidc.ServerMetadata, { secret }: Provider): oidc.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported;
  const takesBasic = methods !== undefined && !methods.includes("client_secret_post");
  return takesBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

/** Twitch returns granted scopes as an array; the standard requires a space-separated string (RFC 6749, §5.1). */
function asOpenIdFetch(fetch: ProviderFetch): oidc.CustomFetch {
  return async (address, options) => {
    const response = await fetch(address, options);
    const text = await response.text();
    const { status, headers } = response;
    return new Response(text === "" ? null : joinScopes(text), { status, headers });
  };
}

function joinScopes(text: string): string {
  return text.replace(
    /"scope":\s*\[([^\]]*)\]/,
    (_, list: string) => `"scope":"${list.replace(/["\s]/g, "").replaceAll(",", " ")}"`,
  );
}
