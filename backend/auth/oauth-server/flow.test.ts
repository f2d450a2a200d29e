import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, linkIn, openAuth } from "#tests/helpers/auth/auth-server.ts";
import {
  ask,
  CALLBACK,
  isAlive,
  joinPerson,
  letIn,
  registerApplication,
} from "#tests/helpers/oauth/applications.ts";

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth({ oauthServer: true, oauthRegistration: true, passkeysEnabled: true });
});
afterAll(() => testServer.close());

const ISSUER = new URL("http://backend.test/auth/v1");
const inThisProcess = {
  [openid.customFetch]: (url: string, options: object) => testServer.fetch(new Request(url, options)),
  execute: [openid.allowInsecureRequests],
};

/** A typical application: discovery, PKCE, state, nonce, and all checks of the library. */
async function runFlow(config: openid.Configuration, scope: string) {
  const { browser, ...person } = await joinPerson(testServer);
  const [verifier, state, nonce] = [
    openid.randomPKCECodeVerifier(),
    openid.randomState(),
    openid.randomNonce(),
  ];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope,
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const sent = await testServer.fetch(new Request(url, { redirect: "manual" }));
  const page = new URL(sent.headers.get("location") ?? "");
  const name = page.searchParams.get("authorization_id") ?? "";
  const details = await browser.auth.oauth.getAuthorizationDetails(name);
  const { data } = await browser.auth.oauth.approveAuthorization(name);
  const tokens = await openid.authorizationCodeGrant(config, new URL(data?.redirect_url ?? ""), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(scope.includes("openid") && { expectedNonce: nonce, idTokenExpected: true }),
  });
  return { browser, person, page, details, tokens };
}

describe.each([
  ["by its secret in the header", openid.ClientSecretBasic],
  ["by its secret in the body", openid.ClientSecretPost],
])("an OAuth library that authenticates with %s", (_, proof) => {
  test("discovers the service, gets a code and tokens, learns who consented, and refreshes", async () => {
    const { id, secret } = await registerApplication(testServer);
    const config = await openid.discovery(ISSUER, id, undefined, proof(secret ?? ""), inThisProcess);
    const { browser, person, page, details, tokens } = await runFlow(config, "openid email profile");

    expect(page.origin + page.pathname).toBe("http://site.test/oauth/consent");
    expect(details.data).toEqual({
      authorization_id: page.searchParams.get("authorization_id"),
      redirect_uri: CALLBACK,
      client: { id, name: "Trade Helper", uri: "https://trades.test", logo_uri: "" },
      user: { id: person.id, email: person.email },
      scope: "openid email profile",
    });
    expect(tokens.claims()).toMatchObject({ sub: person.id, aud: id, email: person.email, client_id: id });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      sub: person.id,
      client_id: id,
      scope: "openid email profile",
      role: "authenticated",
      amr: [{ method: "oauth_provider/authorization_code" }],
    });
    const known = () => openid.fetchUserInfo(config, tokens.access_token, person.id);
    // Sign-ups need no mail here, so that the address may be anyone's until one proved it.
    expect(await known()).toMatchObject({ sub: person.id, email: person.email, email_verified: false });
    await browser.auth.signInWithOtp({ email: person.email });
    const token_hash = linkIn(await testServer.mailTo(person.email)).searchParams.get("token") ?? "";
    await testServer.visitor().auth.verifyOtp({ token_hash, type: "magiclink" });
    expect(await known()).toMatchObject({ email_verified: true });
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(decodeJwt(next.access_token)).toMatchObject({ sub: person.id, client_id: id });
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
  });
});

test("a public application registers itself and gets tokens", async () => {
  const wishes = { client_name: "Phone app", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" };
  const config = await openid.dynamicClientRegistration(ISSUER, wishes, openid.None(), {
    ...inThisProcess,
    algorithm: "oauth2",
  });
  const { tokens, person } = await runFlow(config, "email");
  expect(tokens.id_token).toBe(undefined);
  expect(await openid.fetchUserInfo(config, tokens.access_token, person.id)).toMatchObject({
    email: person.email,
  });
});

test("the server's metadata is also at the path of RFC 8414", async () => {
  const path = "/.well-known/oauth-authorization-server";
  const inService = await testServer.request("GET", path, { headers: { apikey: "" } });
  const atRoot = await testServer.fetch(new Request(`http://backend.test${path}/auth/v1`));
  expect(await atRoot.json()).toEqual(inService.body);
  expect(inService.body).toMatchObject({
    issuer: ISSUER.href,
    code_challenge_methods_supported: ["S256"],
    registration_endpoint: `${ISSUER.href}/oauth/clients/register`,
  });
});

test("without an asymmetric signing key, ID tokens are not offered", async () => {
  const symmetric = await openAuth({ oauthServer: true }, []);
  const { body } = await symmetric.request("GET", "/.well-known/openid-configuration");
  expect(body).toMatchObject({
    scopes_supported: ["profile", "email", "phone"],
    id_token_signing_alg_values_supported: [],
  });
  const { browser } = await joinPerson(symmetric);
  const application = await registerApplication(symmetric);
  await expect(letIn(symmetric, application, browser)).rejects.toThrow();
  expect((await letIn(symmetric, application, browser, { scope: "email" })).scope).toBe("email");
  await symmetric.close();
});

describe("an application's access", () => {
  test("is limited to its scopes: no address without its scope, not even in the token", async () => {
    const application = await registerApplication(testServer);
    const { browser, email } = await joinPerson(testServer);
    await browser.auth.updateUser({ data: { name: "Mara", email } });
    const tokens = await letIn(testServer, application, browser, { scope: "openid profile" });
    for (const token of [tokens.access_token, tokens.id_token ?? ""]) {
      expect(JSON.stringify(decodeJwt(token))).not.toContain(email);
    }
    for (const path of ["/user", "/oauth/userinfo"]) {
      const { status, body } = await testServer.request("GET", path, { token: tokens.access_token });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(email);
      expect(JSON.stringify(body)).toContain("Mara");
    }
  });

  test("reads rows as the user, and policies see which application it is", async () => {
    const application = await registerApplication(testServer);
    const { browser, id } = await joinPerson(testServer);
    const tokens = await letIn(testServer, application, browser);
    await testServer.query(
      `create or replace function public.whoami() returns jsonb language sql stable
       as $$ select jsonb_build_object('who', auth.uid(), 'by', auth.jwt() ->> 'client_id') $$`,
    );
    const { data } = await testServer
      .visitor()
      .rpc("whoami" as never)
      .setHeader("Authorization", `Bearer ${tokens.access_token}`);
    expect(data).toEqual({ who: id, by: application.id });
  });

  test.each([
    ["PUT", "/user", { password: "Another horse 8 battery!" }],
    ["PUT", "/user", { email: "thief@example.org" }],
    ["PUT", "/user", { data: { name: "x" } }],
    ["POST", "/factors", { factor_type: "totp", friendly_name: "x" }],
    ["GET", "/reauthenticate", undefined],
    ["GET", "/passkeys", undefined],
    ["POST", "/passkeys/registration/options", {}],
    ["GET", "/user/oauth/grants", undefined],
  ])("does not include the account: %s %s %j", async (method, path, body) => {
    const { browser } = await joinPerson(testServer);
    const { access_token: token } = await letIn(testServer, await registerApplication(testServer), browser);
    expect(await testServer.request(method, path, { token, body })).toMatchObject({
      status: 403,
      body: { error_code: "no_authorization" },
    });
  });

  test("cannot authorize other applications, and can end only its own session", async () => {
    const { browser } = await joinPerson(testServer);
    const tokens = await letIn(testServer, await registerApplication(testServer), browser);
    const { access_token: token } = tokens;
    expect((await testServer.request("GET", "/oauth/authorizations/any", { token })).status).toBe(403);
    expect((await testServer.request("POST", "/logout?scope=global", { token })).status).toBe(204);
    expect(await isAlive(testServer, tokens)).toBe(false);
    expect((await browser.auth.getUser()).error).toBe(null);
  });

  test("is not granted by an ID token", async () => {
    const { browser } = await joinPerson(testServer);
    const { id_token: token } = await letIn(testServer, await registerApplication(testServer), browser);
    expect((await testServer.request("GET", "/user", { token: token ?? "" })).status).toBe(403);
    const { status } = await testServer
      .visitor()
      .from("items")
      .select()
      .setHeader("Authorization", `Bearer ${token}`);
    expect(status).toBe(401);
  });
});

describe("a user's consent", () => {
  test("can be listed and revoked by the official client, which ends its tokens", async () => {
    const application = await registerApplication(testServer);
    const { browser } = await joinPerson(testServer);
    const tokens = await letIn(testServer, application, browser);
    const { data } = await browser.auth.oauth.listGrants();
    expect(data).toEqual([
      {
        client: { id: application.id, name: "Trade Helper", uri: "https://trades.test", logo_uri: "" },
        scopes: ["openid", "email"],
        granted_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect((await browser.auth.oauth.revokeGrant({ clientId: application.id })).error).toBe(null);
    expect(await isAlive(testServer, tokens)).toBe(false);
    expect((await browser.auth.oauth.listGrants()).data).toEqual([]);
    expect((await browser.auth.oauth.revokeGrant({ clientId: application.id })).error?.code).toBe(
      "oauth_consent_not_found",
    );
  });

  test("is not requested again, unless for more scopes or for an unauthenticated application", async () => {
    const local = "http://127.0.0.1:9000/cb";
    const { browser } = await joinPerson(testServer);
    const known = await registerApplication(testServer);
    await letIn(testServer, known, browser);
    const asked = async (application: { id: string }, wishes: Record<string, string>) => {
      const { data } = await browser.auth.oauth.getAuthorizationDetails(
        await ask(testServer, application, wishes),
      );
      return data && "authorization_id" in data;
    };
    expect(await asked(known, { scope: "email" })).toBe(false);
    expect(await asked(known, { scope: "email phone" })).toBe(true);
    const anybody = await registerApplication(testServer, {
      redirect_uris: [local],
      token_endpoint_auth_method: "none",
    });
    await letIn(testServer, anybody, browser, { redirect_uri: local });
    expect(await asked(anybody, { redirect_uri: local, scope: "email" })).toBe(true);
  });

  test("with the account guard requires recent proof, so a stolen token is not enough", async () => {
    const guarded = await openAuth({
      oauthServer: true,
      accountGuard: { proofSeconds: 600, undoPage: "http://site.test/auth" },
    });
    const application = await registerApplication(guarded);
    const { browser } = await joinPerson(guarded);
    await letIn(guarded, application, browser);
    await guarded.query("update auth.mfa_amr_claims set updated_at = now() - interval '11 min'");
    const name = await ask(guarded, application);
    expect((await browser.auth.oauth.getAuthorizationDetails(name)).data).toHaveProperty("authorization_id");
    expect((await browser.auth.oauth.approveAuthorization(name)).error?.code).toBe("reauthentication_needed");
    expect((await browser.auth.oauth.denyAuthorization(name)).error).toBe(null);
    await guarded.close();
  });

  test("can be denied by the official client, and the application is told", async () => {
    const { browser } = await joinPerson(testServer);
    const name = await ask(testServer, await registerApplication(testServer));
    await browser.auth.oauth.getAuthorizationDetails(name);
    const { data } = await browser.auth.oauth.denyAuthorization(name);
    expect(Object.fromEntries(new URL(data?.redirect_url ?? "").searchParams)).toEqual({
      error: "access_denied",
      error_description: "User denied the request",
      state: "their-state",
      iss: ISSUER.href,
    });
    expect((await browser.auth.oauth.approveAuthorization(name)).error?.code).toBe("validation_failed");
  });
});
