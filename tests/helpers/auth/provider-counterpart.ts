import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { Provider } from "oidc-provider";
import { listen } from "../listen.ts";

/** A user with an account at the provider. */
export type Somebody = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
};

/** A local provider that speaks OpenID Connect and, at `/api`, Discord's dialect of OAuth. */
export type Counterpart = {
  /** The issuer, and the value of `GOTRUE_EXTERNAL_DISCORD_URL`. */
  url: string;
  clientId: string;
  secret: string;
  /** The user who signs in next; null for one who presses Cancel. */
  person: Somebody | null;
  /** Issues an ID token with any claim overridden; `key: "foreign"` signs it with another key. */
  idToken(claims: Record<string, unknown>, options?: { key?: "own" | "foreign" }): Promise<string>;
  /** The public key, for tests that misuse it. */
  publicJwk: JWK;
  /** Paths of the requests received so far. */
  requests: string[];
  close(): Promise<void>;
};

export async function openCounterpart(redirectUri: string): Promise<Counterpart> {
  const server = createServer();
  // By IP address, so that its cookies do not mix with those of a site at localhost.
  const { url, close } = await listen(server);
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const foreign = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(privateKey)), kid: "own", alg: "RS256", use: "sig" };
  const client = { client_id: "site", client_secret: "only these tests know it" };
  const people = new Map<string, Somebody>();
  const counterpart: Counterpart = {
    url,
    clientId: client.client_id,
    secret: client.client_secret,
    person: null,
    publicJwk: await exportJWK(publicKey),
    requests: [],
    idToken: (claims, { key = "own" } = {}) =>
      new SignJWT({ iss: url, aud: client.client_id, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "own" })
        .setIssuedAt()
        .setExpirationTime((claims.exp as number | undefined) ?? "5m")
        .sign(key === "own" ? privateKey : foreign.privateKey),
    close,
  };
  const provider = new Provider(url, configure({ client, redirectUri, jwk, people }));
  const handle = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    counterpart.requests.push(path);
    if (path.startsWith("/interaction/"))
      return void interact(provider, counterpart, people, request, response);
    if (path === "/api/users/@me") return void respondAsDiscord(provider, people, request, response);
    handle(request, response);
  });
  return counterpart;
}

type Setup = {
  client: { client_id: string; client_secret: string };
  redirectUri: string;
  jwk: JWK;
  people: Map<string, Somebody>;
};

function configure({ client, redirectUri, jwk, people }: Setup): Record<string, unknown> {
  return {
    clients: [
      {
        ...client,
        redirect_uris: [redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ["only for these tests"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => false },
    routes: { authorization: "/api/oauth2/authorize", token: "/api/oauth2/token" },
    scopes: ["openid", "offline_access", "identify", "name"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => people.get(id) }),
    // No consent page: signing in grants consent.
    async loadExistingGrant(context: {
      oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } };
    }) {
      const { provider, client: asking, session } = context.oidc;
      const grant = new provider.Grant({ clientId: asking.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile identify name offline_access");
      await grant.save();
      return grant;
    },
  };
}

/** Stands in for the page where a user would type a password. */
async function interact(
  provider: Provider,
  counterpart: Counterpart,
  people: Map<string, Somebody>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { person } = counterpart;
  if (person) people.set(person.sub, person);
  const cancelled = { error: "access_denied", error_description: "The user pressed Cancel" };
  await provider.interactionFinished(
    request,
    response,
    person ? { login: { accountId: person.sub, remember: false } } : cancelled,
  );
}

async function respondAsDiscord(
  provider: Provider,
  people: Map<string, Somebody>,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const token = await provider.AccessToken.find((headers.authorization ?? "").replace(/^Bearer /i, ""));
  const person = people.get(token?.accountId ?? "");
  response.writeHead(person ? 200 : 401, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: person?.sub,
      username: person?.name,
      global_name: person?.name,
      avatar: "a1b2c3",
      email: person?.email ?? null,
      verified: person?.email_verified ?? false,
    }),
  );
}
