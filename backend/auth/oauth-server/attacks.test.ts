import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultAuthConfig } from "#backend/auth/service/auth-config.ts";
import { type AuthTestServer, openAuth } from "#tests/helpers/auth/auth-server.ts";
import {
  agree,
  ask,
  askForToken,
  authorizeQuery,
  CALLBACK,
  isAlive,
  joinPerson,
  leadsTo,
  letIn,
  makeProof,
  registerApplication,
  type TestApplication,
} from "#tests/helpers/oauth/applications.ts";

let testServer: AuthTestServer;
let application: TestApplication;
let other: TestApplication;

beforeAll(async () => {
  testServer = await openAuth({ oauthServer: true });
  application = await registerApplication(testServer);
  other = await registerApplication(testServer, { redirect_uris: ["https://other.test/cb"] });
});
afterAll(() => testServer.close());

/** A freshly issued code, and the parameters to exchange it with. */
async function issueCode(wishes: Record<string, string> = {}) {
  const { browser } = await joinPerson(testServer);
  const { verifier, challenge } = makeProof();
  const code = await agree(
    browser,
    await ask(testServer, application, { code_challenge: challenge, ...wishes }),
  );
  return { browser, fields: { grant_type: "authorization_code", code, code_verifier: verifier } };
}

const refresh = (by: TestApplication, refresh_token: string, more = {}) =>
  askForToken(testServer, by, { grant_type: "refresh_token", refresh_token, ...more });

const INVALID_GRANT = { status: 400, body: { error: "invalid_grant" } };
const INVALID_CLIENT = { status: 401, body: { error: "invalid_client" } };

describe("a code", () => {
  test("that comes twice ends what it opened", async () => {
    const { browser } = await joinPerson(testServer);
    const tokens = await letIn(testServer, application, browser);
    expect(await isAlive(testServer, tokens)).toBe(true);
    const fields = { grant_type: "authorization_code", code: tokens.code, code_verifier: tokens.verifier };
    expect(await askForToken(testServer, application, fields)).toMatchObject(INVALID_GRANT);
    expect(await isAlive(testServer, tokens)).toBe(false);
    expect(await refresh(application, tokens.refresh_token)).toMatchObject(INVALID_GRANT);
  });

  test("is worth nothing once the user has a new password", async () => {
    const { browser, fields } = await issueCode();
    expect((await browser.auth.updateUser({ password: "Another horse 8 battery!" })).error).toBe(null);
    expect(await askForToken(testServer, application, fields)).toMatchObject(INVALID_GRANT);
  });

  test("that is used twice concurrently starts at most one session", async () => {
    const { fields } = await issueCode();
    const answers = await Promise.all([1, 2, 3].map(() => askForToken(testServer, application, fields)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
  });

  test("cannot be used by another application, and stays valid for its own", async () => {
    const { fields } = await issueCode();
    expect(await askForToken(testServer, other, fields)).toMatchObject(INVALID_GRANT);
    expect((await askForToken(testServer, application, fields)).status).toBe(200);
  });

  test.each([
    ["no verifier", { code_verifier: "" }],
    ["another verifier", { code_verifier: makeProof().verifier }],
    ["the challenge in place of the verifier", { code_verifier: makeProof().challenge }],
    ["another address", { redirect_uri: "https://trades.test/else" }],
  ])("cannot be exchanged with %s", async (_, wrong) => {
    const { fields } = await issueCode();
    expect(await askForToken(testServer, application, { ...fields, ...wrong })).toMatchObject(INVALID_GRANT);
  });

  test("expires, and ends with the user's consent", async () => {
    const late = await issueCode();
    await testServer.query(
      "update auth.oauth_authorizations set created_at = now() - interval '1 hour', expires_at = now()",
    );
    expect(await askForToken(testServer, application, late.fields)).toMatchObject(INVALID_GRANT);
    const revoked = await issueCode();
    await revoked.browser.auth.oauth.revokeGrant({ clientId: application.id });
    expect(await askForToken(testServer, application, revoked.fields)).toMatchObject(INVALID_GRANT);
  });

  test("is stored only as a hash", async () => {
    const { fields } = await issueCode();
    const rows = await testServer.query("select * from auth.oauth_authorizations");
    expect(JSON.stringify(rows)).not.toContain(fields.code);
  });
});

describe("a request", () => {
  test.each([
    ["without a challenge", { code_challenge: null, code_challenge_method: null }],
    ["with a challenge and no method", { code_challenge_method: null }],
    ["with the method plain", { code_challenge_method: "plain" }],
    ["with a challenge that is no hash", { code_challenge: "short" }],
    ["with a NUL in its state", { state: "a\0b" }],
  ])("%s is returned as an error", async (_, wish) => {
    const back = leadsTo(await testServer.request("GET", authorizeQuery(application, wish)));
    expect(back.href.startsWith(CALLBACK)).toBe(true);
    expect(back.searchParams.get("error")).toBe("invalid_request");
    expect(back.searchParams.get("code")).toBe(null);
  });

  test.each([
    [{ scope: "email admin" }, "invalid_scope"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ prompt: "none" }, "login_required"],
    [{ resource: "not-absolute" }, "invalid_target"],
    [{ response_mode: "fragment" }, "invalid_request"],
  ])("with %j is returned as %s", async (wish, error) => {
    const back = leadsTo(await testServer.request("GET", authorizeQuery(application, wish)));
    expect([back.searchParams.get("error"), back.searchParams.get("state")]).toEqual([error, "their-state"]);
    // Empty, so that the browser does not carry over the fragment of a mailed link that led here.
    expect(back.href).toMatch(/#$/);
  });

  test("may write the method in lower case, as the official client does for its own sign-ins", async () => {
    const query = authorizeQuery(application, { code_challenge_method: "s256" });
    const page = leadsTo(await testServer.request("GET", query));
    expect(page.searchParams.get("authorization_id")).toMatch(/./);
  });

  test("with a repeated parameter is returned as an error", async () => {
    const answer = await testServer.request("GET", `${authorizeQuery(application)}&scope=phone`);
    expect(leadsTo(answer).searchParams.get("error")).toBe("invalid_request");
  });

  test.each([
    `${CALLBACK}/`,
    `${CALLBACK}?x=1`,
    "https://trades.test.evil.test/callback",
    "https://TRADES.test/callback",
    "http://trades.test/callback",
    "https://other.test/cb",
    "https://evil.test/",
  ])("with a redirect URI that is not registered exactly leads nowhere: %s", async (redirect_uri) => {
    for (const response_type of ["code", "token"]) {
      const answer = await testServer.request(
        "GET",
        authorizeQuery(application, { redirect_uri, response_type }),
      );
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(answer.body.error_code).toBe("validation_failed");
    }
    const page = await testServer.request("GET", authorizeQuery(application, { redirect_uri }), {
      headers: { accept: "text/html" },
    });
    expect(leadsTo(page).href).toBe("http://site.test/oauth/consent?refused=validation_failed");
  });

  test.each(["nobody", crypto.randomUUID()])("of an unknown application leads nowhere: %s", async (id) => {
    const answer = await testServer.request("GET", authorizeQuery({ id }));
    expect([answer.status, answer.headers.get("location"), answer.body.error_code]).toEqual([
      400,
      null,
      "oauth_client_not_found",
    ]);
  });

  test("belongs to the user who opened it: another user can neither see nor answer it", async () => {
    const [ann, thief] = [await joinPerson(testServer), await joinPerson(testServer)];
    const name = await ask(testServer, application);
    // The user has not opened the request yet.
    expect((await ann.browser.auth.oauth.approveAuthorization(name)).error?.status).toBe(404);
    await ann.browser.auth.oauth.getAuthorizationDetails(name);
    for (const { error } of [
      await thief.browser.auth.oauth.getAuthorizationDetails(name),
      await thief.browser.auth.oauth.approveAuthorization(name),
      await thief.browser.auth.oauth.denyAuthorization(name),
      await ann.browser.auth.oauth.getAuthorizationDetails("made-up"),
    ]) {
      expect(error).toMatchObject({ status: 404, code: "oauth_authorization_not_found" });
    }
    expect((await ann.browser.auth.oauth.approveAuthorization(name)).error).toBe(null);
  });

  test("cannot be answered from another site's page, late, or for a removed redirect URI", async () => {
    const { browser, token } = await joinPerson(testServer);
    const name = await ask(testServer, application);
    const path = `/oauth/authorizations/${name}`;
    const headers = { origin: "https://evil.test" };
    expect(await testServer.request("GET", path, { token, headers })).toMatchObject({ status: 400 });
    const own = { origin: "http://site.test" };
    expect(await testServer.request("GET", path, { token, headers: own })).toMatchObject({ status: 200 });
    await testServer.query(
      "update auth.oauth_authorizations set created_at = now() - interval '1 hour', expires_at = now()",
    );
    expect((await browser.auth.oauth.approveAuthorization(name)).error?.code).toBe(
      "oauth_authorization_not_found",
    );

    const moving = await registerApplication(testServer);
    const waiting = await ask(testServer, moving);
    await browser.auth.oauth.getAuthorizationDetails(waiting);
    await testServer.server.auth.admin.oauth.updateClient(moving.id, {
      redirect_uris: ["https://new.test/"],
    });
    expect((await browser.auth.oauth.approveAuthorization(waiting)).error?.code).toBe(
      "oauth_authorization_not_found",
    );
  });

  test("can be answered only with all factors, and the tokens have that assurance level", async () => {
    const { browser, email, id } = await joinPerson(testServer);
    const { data } = await browser.auth.mfa.enroll({ factorType: "totp", friendlyName: "App" });
    const totp = new TOTP({ secret: Secret.fromBase32(data?.type === "totp" ? data.totp.secret : "") });
    const factorId = data?.id ?? "";
    await browser.auth.mfa.challengeAndVerify({ factorId, code: totp.generate() });
    await testServer.query(
      "update auth.mfa_factors set updated_at = now() - interval '1 min' where user_id = $1",
      [id],
    );
    const tokens = await letIn(testServer, application, browser);
    const [claims = ""] = tokens.access_token.split(".").slice(1);
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ aal: "aal2" });

    const half = testServer.visitor();
    await half.auth.signInWithPassword({ email, password: "Correct horse 7 battery!" });
    const name = await ask(testServer, application);
    expect((await half.auth.oauth.getAuthorizationDetails(name)).error?.code).toBe("insufficient_aal");
    expect((await half.auth.oauth.approveAuthorization(name)).error?.code).toBe("insufficient_aal");
    expect((await half.auth.oauth.revokeGrant({ clientId: application.id })).error?.code).toBe(
      "insufficient_aal",
    );
  });

  test("is refused if one network sends too many", async () => {
    const limits = { ...defaultAuthConfig.limits, oauthRequest: { points: 2, seconds: 60 } };
    const few = await openAuth({ oauthServer: true, addressHeader: "x-real-ip", limits });
    const known = await registerApplication(few);
    const send = () => few.request("GET", authorizeQuery(known), { headers: { "x-real-ip": "192.0.2.9" } });
    const statuses = [await send(), await send(), await send()].map(({ status }) => status);
    expect(statuses).toEqual([302, 302, 429]);
    await few.close();
  });
});

describe("an application", () => {
  test.each([
    ["a wrong secret", () => ({ ...application, secret: "wrong" })],
    ["another one's secret", () => ({ ...application, secret: other.secret })],
    ["no secret, though it has one", () => ({ ...application, secret: null })],
    ["a name that is none", () => ({ id: crypto.randomUUID(), secret: null })],
    ["a name that is no name", () => ({ id: "x' or true --", secret: "x" })],
  ])("gets nothing with %s", async (_, claimed) => {
    const { fields } = await issueCode();
    const answer = await askForToken(testServer, claimed(), fields);
    expect(answer).toMatchObject(INVALID_CLIENT);
    expect(answer.headers.get("www-authenticate")).toContain("Basic");
  });

  test("gets nothing with an old secret, with two credentials at once, or with repeated fields", async () => {
    const mine = await registerApplication(testServer);
    const fields = { grant_type: "refresh_token", refresh_token: "x" };
    const { data } = await testServer.server.auth.admin.oauth.regenerateClientSecret(mine.id);
    expect(await askForToken(testServer, mine, fields)).toMatchObject(INVALID_CLIENT);
    const now = { ...mine, secret: data?.client_secret ?? null };
    expect(await askForToken(testServer, now, fields)).toMatchObject(INVALID_GRANT);
    const twice = { ...fields, client_secret: now.secret ?? "" };
    expect(await askForToken(testServer, now, twice)).toMatchObject({ body: { error: "invalid_request" } });
    const repeated = await testServer.request("POST", "/oauth/token", {
      body: "grant_type=refresh_token&grant_type=authorization_code",
    });
    expect(repeated.body.error).toBe("invalid_request");
    // Each name was compared with all others, for which everything else waited several minutes.
    const names = Array.from({ length: 150_000 }, (_, index) => index.toString(36));
    const body = [...names, "grant_type=nothing"].join("&");
    const many = await testServer.request("POST", "/oauth/token", { body });
    expect(many.body.error).toBe("unsupported_grant_type");
  });

  test("gets no tokens by a grant it does not have, or one that does not exist", async () => {
    const once = await registerApplication(testServer, { grant_types: ["authorization_code"] });
    const { browser } = await joinPerson(testServer);
    expect(await letIn(testServer, once, browser)).not.toHaveProperty("refresh_token");
    expect((await refresh(once, "x")).body.error).toBe("unauthorized_client");
    const answer = await askForToken(testServer, once, { grant_type: "password" });
    expect(answer.body.error).toBe("unsupported_grant_type");
  });
});

describe("a refresh token", () => {
  test("that is reused later was stolen: the session ends", async () => {
    const { browser } = await joinPerson(testServer);
    const first = await letIn(testServer, application, browser);
    const second = (await refresh(application, first.refresh_token)).body as typeof first;
    const third = (await refresh(application, second.refresh_token)).body as typeof first;
    expect(await refresh(application, first.refresh_token)).toMatchObject(INVALID_GRANT);
    expect(await refresh(application, third.refresh_token)).toMatchObject(INVALID_GRANT);
    expect(await isAlive(testServer, third)).toBe(false);
  });

  test("cannot be used by another application, nor at the users' token endpoint", async () => {
    const { browser } = await joinPerson(testServer);
    const tokens = await letIn(testServer, application, browser);
    expect(await refresh(other, tokens.refresh_token)).toMatchObject(INVALID_GRANT);
    expect((await browser.auth.refreshSession(tokens)).error?.code).toBe("refresh_token_not_found");
    const { data } = await browser.auth.getSession();
    expect(await refresh(application, data.session?.refresh_token ?? "")).toMatchObject(INVALID_GRANT);
    expect((await refresh(application, tokens.refresh_token)).status).toBe(200);
  });

  test("yields no more than was granted", async () => {
    const { browser } = await joinPerson(testServer);
    const tokens = await letIn(testServer, application, browser, { scope: "email" });
    for (const scope of ["email phone", "openid"]) {
      expect((await refresh(application, tokens.refresh_token, { scope })).body.error).toBe("invalid_scope");
    }
    const { body } = await refresh(application, tokens.refresh_token, { scope: "email" });
    expect(body.scope).toBe("email");
  });

  test("of a banned user is invalid", async () => {
    const { browser, id } = await joinPerson(testServer);
    const tokens = await letIn(testServer, application, browser);
    await testServer.server.auth.admin.updateUserById(id, { ban_duration: "1h" });
    expect(await refresh(application, tokens.refresh_token)).toMatchObject(INVALID_GRANT);
  });
});
