import { createHash, randomBytes } from "node:crypto";
import type { CreateOAuthClientParams, SupabaseClient } from "@supabase/supabase-js";
import type { Answer, AuthTestServer } from "#tests/helpers/auth/auth-server.ts";
import { PASSWORD } from "#tests/helpers/auth/auth-server.ts";

export const CALLBACK = "https://trades.test/callback";

/** Registers an application as the operator would, with a secret if it has one. */
export async function registerApplication(
  { server }: Pick<AuthTestServer, "server">,
  wishes: Partial<CreateOAuthClientParams> = {},
) {
  const { data, error } = await server.auth.admin.oauth.createClient({
    client_name: "Trade Helper",
    client_uri: "https://trades.test",
    redirect_uris: [CALLBACK],
    ...wishes,
  });
  if (!data) throw error;
  return { id: data.client_id, secret: data.client_secret ?? null };
}

export type TestApplication = { id: string; secret: string | null };

let people = 0;

/** A user with an account, signed in with the official client. */
export async function joinPerson(testServer: Pick<AuthTestServer, "visitor">) {
  people += 1;
  const browser = testServer.visitor();
  const email = `person${people}-${randomBytes(3).toString("hex")}@example.org`;
  const { data, error } = await browser.auth.signUp({ email, password: PASSWORD });
  if (!data.session || !data.user) throw error;
  return { browser, email, id: data.user.id, token: data.session.access_token };
}

/** A PKCE code verifier and its challenge (RFC 7636). */
export function makeProof() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The query with which an application sends a browser to `/oauth/authorize`. */
export function authorizeQuery({ id }: { id: string }, wishes: Record<string, string | null> = {}): string {
  const query: Record<string, string | null> = {
    client_id: id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid email",
    state: "their-state",
    code_challenge: makeProof().challenge,
    code_challenge_method: "S256",
    ...wishes,
  };
  const named = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(named)}`;
}

/** The target of a redirect. */
export const leadsTo = ({ headers }: Pick<Answer, "headers">) => new URL(headers.get("location") ?? "");

/** Requests consent; resolves with the id of the authorization request. */
export async function ask(
  testServer: Pick<AuthTestServer, "request">,
  application: { id: string },
  wishes: Record<string, string | null> = {},
): Promise<string> {
  const answer = await testServer.request("GET", authorizeQuery(application, wishes));
  return leadsTo(answer).searchParams.get("authorization_id") ?? "";
}

/** The user opens the consent page and approves; resolves with the code. */
export async function agree(browser: SupabaseClient, name: string): Promise<string> {
  const { data, error } = await browser.auth.oauth.getAuthorizationDetails(name);
  if (!data) throw error;
  if ("redirect_url" in data) return codeOf(data.redirect_url);
  const approved = await browser.auth.oauth.approveAuthorization(name);
  if (!approved.data) throw approved.error;
  return codeOf(approved.data.redirect_url);
}

const codeOf = (address: string) => new URL(address).searchParams.get("code") ?? "";

/** POST /oauth/token as a form; a client secret goes into the Authorization header. */
export async function askForToken(
  testServer: Pick<AuthTestServer, "request">,
  { id, secret }: TestApplication,
  fields: Record<string, string>,
): Promise<Answer> {
  const own: Record<string, string> = secret === null ? { client_id: id } : {};
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  return testServer.request("POST", "/oauth/token", {
    body: new URLSearchParams({ ...own, ...fields }).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(secret !== null && { authorization: basic }),
    },
  });
}

export type Tokens = { access_token: string; refresh_token: string; id_token?: string; scope: string };

/** The whole flow: authorize, approve, exchange the code. */
export async function letIn(
  testServer: AuthTestServer,
  application: TestApplication,
  browser: SupabaseClient,
  wishes: Record<string, string | null> = {},
): Promise<Tokens & { code: string; verifier: string }> {
  const { verifier, challenge } = makeProof();
  const code = await agree(
    browser,
    await ask(testServer, application, { code_challenge: challenge, ...wishes }),
  );
  const fields = { grant_type: "authorization_code", code, code_verifier: verifier };
  const { status, body } = await askForToken(testServer, application, fields);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...(body as unknown as Tokens), code, verifier };
}

/** Whether an application's tokens still work. */
export async function isAlive(
  testServer: AuthTestServer,
  { access_token: token }: Pick<Tokens, "access_token">,
) {
  return (await testServer.request("GET", "/oauth/userinfo", { token })).status === 200;
}
