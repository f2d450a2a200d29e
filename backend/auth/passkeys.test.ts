import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import {
  createAuthenticator,
  type Misconduct,
  type SoftwareAuthenticator,
} from "#tests/helpers/auth/software-authenticator.ts";

const SITE = "https://site.test";
let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  testServer = await openAuth({
    siteUrl: SITE,
    passkeysEnabled: true,
    webauthnEnroll: true,
    webauthnVerify: true,
    maxPasskeys: 2,
  });
});
afterAll(() => testServer.close());

type Visitor = ReturnType<AuthTestServer["visitor"]>;

async function join() {
  const email = `keeper${++people}@example.org`;
  const browser = testServer.visitor();
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  return { email, browser, id: data.user?.id as string };
}

async function register(
  browser: Visitor,
  {
    key = createAuthenticator(SITE),
    misconduct,
  }: { key?: SoftwareAuthenticator; misconduct?: Misconduct } = {},
) {
  const { data, error } = await browser.auth.passkey.startRegistration();
  if (error) return { key, data: null, error, challengeId: "", credential: undefined as never };
  const credential = key.create(data.options as never, misconduct) as never;
  const verified = await browser.auth.passkey.verifyRegistration({
    challengeId: data.challenge_id,
    credential,
  });
  return { key, challengeId: data.challenge_id, credential, options: data.options, ...verified };
}

async function joinWithPasskey() {
  const person = await join();
  const { key, data, error } = await register(person.browser);
  if (error || !data) throw error;
  return { ...person, key, passkeyId: data.id };
}

async function signIn(key: SoftwareAuthenticator, misconduct?: Misconduct) {
  const browser = testServer.visitor();
  const { data, error } = await browser.auth.passkey.startAuthentication();
  if (error) throw error;
  const credential = key.get(data.options as never, misconduct) as never;
  const proof = { challengeId: data.challenge_id, credential };
  return { browser, proof, ...(await browser.auth.passkey.verifyAuthentication(proof)) };
}

const NOT_VERIFIED = { status: 400, code: "webauthn_verification_failed" };
const NO_CHALLENGE = { status: 400, code: "webauthn_challenge_not_found" };

test("if disabled, no endpoint is available", async () => {
  const off = await openAuth();
  const { auth } = off.visitor();
  await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  for (const attempt of [
    auth.passkey.list(),
    auth.passkey.startAuthentication(),
    auth.passkey.startRegistration(),
    off.server.auth.admin.passkey.listPasskeys({ userId: crypto.randomUUID() }),
  ]) {
    expect((await attempt).error).toMatchObject({ status: 404, code: "passkey_disabled" });
  }
  expect((await off.request("GET", "/settings")).body.passkeys_enabled).toBe(false);
  await off.close();
});

test.each<[string, Misconduct]>([
  ["a page of another site", { origin: "https://evil.test" }],
  ["another port", { origin: "https://site.test:8443" }],
  ["another relying party", { rpId: "evil.test" }],
  ["an answer to another challenge", { challenge: "AAAA" }],
  ["nobody shown to be there", { verifiesPerson: false }],
])("no passkey is created with %s", async (_, misconduct) => {
  const { browser } = await join();
  expect((await register(browser, { misconduct })).error).toMatchObject(NOT_VERIFIED);
  expect((await browser.auth.passkey.list()).data).toEqual([]);
});

test("a passkey's id may be as long as the standard allows, and no longer", async () => {
  const { browser } = await join();
  const long = await register(browser, { key: createAuthenticator(SITE, 1023) });
  expect(long.error).toBe(null);
  expect((await signIn(long.key)).error).toBe(null);
  const tooLong = await register(browser, { key: createAuthenticator(SITE, 3000) });
  expect(tooLong.error).toMatchObject(NOT_VERIFIED);
});

test("a passkey's challenge is for one user, one purpose, one response and five minutes", async () => {
  const [owner, other] = [await join(), await join()];
  const { passkey } = owner.browser.auth;
  const made = await register(owner.browser);
  const proof = { challengeId: made.challengeId, credential: made.credential };
  expect((await passkey.verifyRegistration(proof)).error).toMatchObject(NO_CHALLENGE);

  const begin = async () => (await passkey.startRegistration()).data;
  const [foreign, crossed, late] = [await begin(), await begin(), await begin()];
  const answerTo = (begun: typeof foreign) => ({
    challengeId: begun?.challenge_id ?? "",
    credential: createAuthenticator(SITE).create(begun?.options as never) as never,
  });
  expect((await other.browser.auth.passkey.verifyRegistration(answerTo(foreign))).error).toMatchObject(
    NO_CHALLENGE,
  );
  // Without a user, so that only the wrong purpose prevents its use.
  await testServer.query("update auth.webauthn_challenges set user_id = null where id = $1", [
    crossed?.challenge_id,
  ]);
  expect(
    (await testServer.visitor().auth.passkey.verifyAuthentication(answerTo(crossed))).error,
  ).toMatchObject(NO_CHALLENGE);
  expect(late?.expires_at).toBeCloseTo(Date.now() / 1000 + 300, -1);
  await testServer.query("update auth.webauthn_challenges set expires_at = now() where id = $1", [
    late?.challenge_id,
  ]);
  expect((await passkey.verifyRegistration(answerTo(late))).error).toMatchObject({
    status: 400,
    code: "webauthn_challenge_expired",
  });
  expect((await passkey.verifyRegistration(answerTo(foreign))).error).toBe(null);
});

test("a failed response also spends its challenge, and of two concurrent ones only one counts", async () => {
  const { key } = await joinWithPasskey();
  const { browser, proof, error } = await signIn(key, { origin: "https://evil.test" });
  expect(error).toMatchObject(NOT_VERIFIED);
  const again = { ...proof, credential: proof.credential };
  expect((await browser.auth.passkey.verifyAuthentication(again)).error).toMatchObject(NO_CHALLENGE);

  const { data } = await browser.auth.passkey.startAuthentication();
  const answer = {
    challengeId: data?.challenge_id ?? "",
    credential: key.get(data?.options as never) as never,
  };
  const both = await Promise.all(
    [1, 2].map(() => testServer.visitor().auth.passkey.verifyAuthentication(answer)),
  );
  expect(both.map(({ error }) => error?.code ?? "signed in").sort()).toEqual([
    "signed in",
    "webauthn_challenge_not_found",
  ]);
});

test.each([
  [{ credential: {} }, "challenge_id is required"],
  [{ challenge_id: "1", credential: {} }, "challenge_id must be a valid UUID"],
  [{ challenge_id: crypto.randomUUID() }, "credential is required"],
])("%j is not a valid response", async (body, message) => {
  const answer = await testServer.request("POST", "/passkeys/authentication/verify", { body });
  expect([answer.status, answer.body.error_code, answer.body.msg]).toEqual([
    400,
    "validation_failed",
    message,
  ]);
});

test.each([{}, { id: 7 }, { id: "AAAA", response: null }, { id: "AAAA", response: { clientDataJSON: 1 } }])(
  "%j in place of a signature is refused like any invalid one",
  async (credential) => {
    const begun = await testServer.request("POST", "/passkeys/authentication/options", { body: {} });
    const body = { challenge_id: begun.body.challenge_id, credential };
    const answer = await testServer.request("POST", "/passkeys/authentication/verify", { body });
    expect([answer.status, answer.body.error_code]).toEqual([400, "webauthn_verification_failed"]);
  },
);

test("no user name is needed, so the response does not reveal who has an account", async () => {
  const { data } = await testServer.visitor().auth.passkey.startAuthentication();
  expect(data?.options).toMatchObject({ rpId: "site.test", userVerification: "required" });
  expect(data?.options.allowCredentials).toBeUndefined();
  const unknown = (await signIn(createAuthenticator(SITE))).error;
  const { key } = await joinWithPasskey();
  const wrong = (await signIn(key, { rpId: "evil.test" })).error;
  expect(unknown).toMatchObject(NOT_VERIFIED);
  expect(unknown?.message).toBe(wrong?.message);
});

test.each<[string, Misconduct]>([
  ["a page of another site", { origin: "https://evil.test" }],
  ["another relying party", { rpId: "evil.test" }],
  ["an answer to another challenge", { challenge: "AAAA" }],
  ["the handle of somebody else", { userHandle: Buffer.from(crypto.randomUUID()).toString("base64url") }],
  ["no handle", { userHandle: "" }],
  ["nobody shown to be there", { verifiesPerson: false }],
])("a passkey cannot sign in with %s", async (_, misconduct) => {
  const { key } = await joinWithPasskey();
  expect((await signIn(key, misconduct)).error).toMatchObject(NOT_VERIFIED);
});

test("a passkey signs in without a password, and its session names the method and can be refreshed", async () => {
  const { key, email, id, browser: first } = await joinWithPasskey();
  const events: string[] = [];
  const { browser, data, error } = await signIn(key);
  browser.auth.onAuthStateChange((event) => void events.push(event));
  expect(error).toBe(null);
  expect(data?.user).toMatchObject({ id, email });
  expect(decodeJwt(data?.session?.access_token ?? "")).toMatchObject({
    aal: "aal1",
    amr: [{ method: "passkey" }],
  });
  expect((await browser.auth.refreshSession()).error).toBe(null);
  expect((await first.auth.passkey.list()).data).toEqual([
    expect.objectContaining({ friendly_name: "Passkey", last_used_at: expect.any(String) }),
  ]);
});

test("a passkey whose counter lags behind is refused, one without a counter is not", async () => {
  const { key } = await joinWithPasskey();
  expect((await signIn(key, { counter: 7 })).error).toBe(null);
  expect((await signIn(key, { counter: 7 })).error).toMatchObject(NOT_VERIFIED);
  expect((await signIn(key, { counter: 3 })).error).toMatchObject(NOT_VERIFIED);
  expect((await signIn(key, { counter: 8 })).error).toBe(null);

  const { browser } = await join();
  const synced = await register(browser, { misconduct: { counter: 0 } });
  for (let i = 0; i < 2; i++) expect((await signIn(synced.key, { counter: 0 })).error).toBe(null);
});

test("a deleted passkey cannot sign in, and only its owner can delete or rename it", async () => {
  const [owner, other] = [await joinWithPasskey(), await join()];
  const { passkeyId } = owner;
  const stranger = other.browser.auth.passkey;
  const notFound = { status: 404, message: "Passkey not found" };
  expect((await stranger.delete({ passkeyId })).error).toMatchObject(notFound);
  expect((await stranger.update({ passkeyId, friendlyName: "mine" })).error).toMatchObject(notFound);

  const { passkey } = owner.browser.auth;
  for (const friendlyName of ["", "x".repeat(121)]) {
    expect((await passkey.update({ passkeyId, friendlyName })).error).toMatchObject({
      status: 400,
      code: "validation_failed",
    });
  }
  // Counts code points, not UTF-16 code units.
  expect((await passkey.update({ passkeyId, friendlyName: "🔥".repeat(120) })).error).toBe(null);
  const named = await passkey.update({ passkeyId, friendlyName: "Laptop" });
  expect(named.data).toEqual({ id: passkeyId, friendly_name: "Laptop", created_at: expect.any(String) });
  expect((await passkey.delete({ passkeyId })).error).toBe(null);
  expect((await passkey.list()).data).toEqual([]);
  expect((await signIn(owner.key)).error).toMatchObject(NOT_VERIFIED);
});

test("a passkey's life cycle is recorded, its key is not", async () => {
  const { browser, id, key, passkeyId } = await joinWithPasskey();
  const stranger = (await join()).browser.auth.passkey;
  await stranger.delete({ passkeyId });
  await browser.auth.passkey.update({ passkeyId, friendlyName: "Laptop" });
  await signIn(key);
  await browser.auth.passkey.delete({ passkeyId });
  const rows = await testServer.query(
    `select payload ->> 'action' as action, payload::text as told from auth.audit_log_entries
     where payload::text like '%' || $1 || '%' and payload ->> 'actor_id' = $2 order by created_at`,
    [passkeyId, id],
  );
  expect(rows.map(({ action }) => action)).toEqual(["passkey_created", "passkey_updated", "passkey_deleted"]);
  expect(JSON.stringify(rows)).not.toContain(key.credentialId);
  const [others] = await testServer.query(
    "select count(*) as count from auth.audit_log_entries where payload::text like '%' || $1 || '%'",
    [passkeyId],
  );
  expect(Number(others?.count)).toBe(3);
});

test("an authenticator creates one passkey per user, and their number is limited", async () => {
  const { browser, key } = await joinWithPasskey();
  const { data } = await browser.auth.passkey.startRegistration();
  expect(data?.options).toMatchObject({
    rp: { id: "site.test", name: "Harbor" },
    attestation: "none",
    excludeCredentials: [{ id: key.credentialId, type: "public-key", transports: ["internal"] }],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const twin = await register(browser, { key });
  expect(twin.error).toMatchObject({ status: 422, code: "webauthn_credential_exists" });
  const late = await browser.auth.passkey.startRegistration();
  expect((await register(browser)).error).toBe(null);
  expect((await register(browser)).error).toMatchObject({ status: 422, code: "too_many_passkeys" });
  const credential = createAuthenticator(SITE).create(late.data?.options as never) as never;
  const challengeId = late.data?.challenge_id ?? "";
  expect((await browser.auth.passkey.verifyRegistration({ challengeId, credential })).error?.code).toBe(
    "too_many_passkeys",
  );
});

test("a user with a second factor can add and remove passkeys only after using it", async () => {
  const { browser, email, passkeyId } = await joinWithPasskey();
  const { data } = await browser.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  await testServer.query("update auth.mfa_factors set status = 'verified' where id = $1", [data?.id]);
  await browser.auth.signInWithPassword({ email, password: PASSWORD });
  const refusal = { status: 403, code: "insufficient_aal" };
  expect((await browser.auth.passkey.startRegistration()).error).toMatchObject(refusal);
  expect((await browser.auth.passkey.delete({ passkeyId })).error).toMatchObject(refusal);
  expect((await browser.auth.passkey.list()).data).toHaveLength(1);
});

test("a banned or unconfirmed account cannot sign in, and a deleted one is not found", async () => {
  const { key, id } = await joinWithPasskey();
  const { admin } = testServer.server.auth;
  await admin.updateUserById(id, { ban_duration: "1h" });
  expect((await signIn(key)).error).toMatchObject({ status: 403, code: "user_banned" });
  await admin.updateUserById(id, { ban_duration: "none" });
  await testServer.query("update auth.users set email_confirmed_at = null where id = $1", [id]);
  expect((await signIn(key)).error).toMatchObject({ status: 403, code: "email_not_confirmed" });
  await admin.deleteUser(id, true);
  expect((await signIn(key)).error).toMatchObject(NOT_VERIFIED);
});

test("a server lists a user's passkeys and removes a lost one", async () => {
  const { id: userId, passkeyId, browser } = await joinWithPasskey();
  const { passkey } = testServer.server.auth.admin;
  expect((await passkey.listPasskeys({ userId })).data).toMatchObject([{ id: passkeyId }]);
  expect((await passkey.deletePasskey({ userId, passkeyId: userId })).error).toMatchObject({ status: 404 });
  expect((await passkey.deletePasskey({ userId, passkeyId })).error).toBe(null);
  expect((await passkey.listPasskeys({ userId })).data).toEqual([]);
  const { error } = await browser.auth.admin.passkey.listPasskeys({ userId });
  expect(error).toMatchObject({ status: 403, code: "not_admin" });
});

test("on localhost the page's own origin is accepted, elsewhere only the site's", async () => {
  const local = await openAuth({ siteUrl: "http://localhost:3000", passkeysEnabled: true });
  const partyOf = async (headers: Record<string, string>, from = local) => {
    const { body } = await from.request("POST", "/passkeys/authentication/options", { headers, body: {} });
    const [row] = await from.query("select session_data from auth.webauthn_challenges where id = $1", [
      body.challenge_id,
    ]);
    return row?.session_data as unknown;
  };
  const party = (origin: string) => ({ rpId: new URL(origin).hostname, origins: [origin] });
  const page = (origin: string, host = new URL(origin).host) => partyOf({ origin, host });
  expect(await partyOf({})).toMatchObject(party("http://localhost:3000"));
  expect(await page("http://localhost:4101")).toMatchObject(party("http://localhost:4101"));
  expect(await page("https://fruit.example")).toMatchObject(party("https://fruit.example"));
  expect(await page("https://evil.example", "fruit.example")).toMatchObject(party("http://localhost:3000"));
  await local.close();
  expect(await partyOf({ origin: "https://evil.test", host: "evil.test" }, testServer)).toMatchObject(
    party(SITE),
  );
});

test("passkey attempts are limited to thirty in five minutes per network, and not logged", async () => {
  const strict = await openAuth({ passkeysEnabled: true, addressHeader: "x-visitor" });
  const attempt = (address: string) =>
    strict.request("POST", "/passkeys/authentication/options", { headers: { "x-visitor": address } });
  for (let i = 0; i < 30; i++) expect((await attempt("192.0.2.1")).status).toBe(200);
  const refused = await attempt("192.0.2.1");
  expect([refused.status, refused.body.error_code]).toEqual([429, "over_request_rate_limit"]);
  expect((await attempt("192.0.2.2")).status).toBe(200);
  await strict.close();
  expect(testServer.logged).toEqual([]);
});
