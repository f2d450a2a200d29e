import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
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
  testServer = await openAuth({ siteUrl: SITE, webauthnEnroll: true, webauthnVerify: true });
});
afterAll(() => testServer.close());

type Visitor = ReturnType<AuthTestServer["visitor"]>;

async function join() {
  const email = `holder${++people}@example.org`;
  const browser = testServer.visitor();
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  return { email, browser, id: data.user?.id as string };
}

async function enroll(browser: Visitor, friendlyName = "key"): Promise<string> {
  const { data, error } = await browser.auth.mfa.enroll({ factorType: "webauthn", friendlyName });
  if (error) throw error;
  return data.id;
}

type PublicKey = { challenge: ArrayBuffer; user?: { id: ArrayBuffer } };
const toText = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("base64url");

async function challenge(browser: Visitor, factorId: string) {
  const webauthn = { rpId: "told.by.the.page", rpOrigins: ["https://told.by.the.page"] };
  const { data, error } = await browser.auth.mfa.challenge({ factorId, webauthn });
  if (error) throw error;
  const { type, credential_options } = data.webauthn;
  const { publicKey } = credential_options as { publicKey: PublicKey };
  const { challenge: bytes, user } = publicKey;
  const options = { ...publicKey, challenge: toText(bytes), ...(user && { user: { id: toText(user.id) } }) };
  return { id: data.id, type, options: options as never, publicKey };
}

type Begun = Awaited<ReturnType<typeof challenge>>;

/** A browser credential object, of which the client requests the JSON. */
function answerTo({ type, options }: Begun, key: SoftwareAuthenticator, misconduct?: Misconduct) {
  const credential = type === "create" ? key.create(options, misconduct) : key.get(options, misconduct);
  return { toJSON: () => credential } as never;
}

function verify(
  browser: Visitor,
  factorId: string,
  begun: Pick<Begun, "id" | "type">,
  credential_response: never,
) {
  const webauthn = { type: begun.type, rpId: "site.test", credential_response };
  return browser.auth.mfa.verify({ factorId, challengeId: begun.id, webauthn } as never);
}

/** Enrolls or uses a key, optionally with a fault. */
async function present(browser: Visitor, factorId: string, key: SoftwareAuthenticator, wrong?: Misconduct) {
  const begun = await challenge(browser, factorId);
  return verify(browser, factorId, begun, answerTo(begun, key, wrong));
}

async function joinWithKey() {
  const person = await join();
  const key = createAuthenticator(SITE);
  const factorId = await enroll(person.browser);
  const { data, error } = await present(person.browser, factorId, key);
  if (error) throw error;
  return { ...person, key, factorId, claims: decodeJwt(data.access_token) };
}

async function signInAgain({ email }: { email: string }) {
  const browser = testServer.visitor();
  await browser.auth.signInWithPassword({ email, password: PASSWORD });
  return browser;
}

const FAILED = { status: 422, code: "mfa_verification_failed" };
const NO_CHALLENGE = { status: 422, code: "mfa_factor_not_found" };

test("if disabled, no key can be enrolled, and an existing one cannot be used", async () => {
  const off = await openAuth({ webauthnEnroll: true });
  const { auth } = off.visitor();
  await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const { data } = await auth.mfa.enroll({ factorType: "webauthn", friendlyName: "key" });
  const challenged = await auth.mfa.challenge({ factorId: data?.id ?? "" });
  expect(challenged.error).toMatchObject({ status: 422, code: "mfa_webauthn_verify_not_enabled" });
  await off.close();
});

test.each<[string, Misconduct]>([
  ["a page of another site", { origin: "https://evil.test" }],
  ["another relying party", { rpId: "evil.test" }],
  ["an answer to another challenge", { challenge: "AAAA" }],
])("no key is verified after %s", async (_, wrong) => {
  const { browser } = await join();
  const factorId = await enroll(browser);
  expect((await present(browser, factorId, createAuthenticator(SITE), wrong)).error).toMatchObject(FAILED);
  const { data } = await browser.auth.mfa.listFactors();
  expect(data?.all).toMatchObject([{ factor_type: "webauthn", status: "unverified" }]);
});

test("a challenge is for one user, one purpose, one response and five minutes", async () => {
  const [owner, other] = [await joinWithKey(), await join()];
  const { browser, factorId, key } = owner;
  const otherFactor = await enroll(other.browser);
  const foreign = await challenge(browser, factorId);
  expect((await verify(other.browser, otherFactor, foreign, answerTo(foreign, key))).error).toMatchObject(
    NO_CHALLENGE,
  );
  expect((await verify(other.browser, factorId, foreign, answerTo(foreign, key))).error).toMatchObject({
    status: 404,
    code: "mfa_factor_not_found",
  });

  const crossed = { ...(await challenge(browser, factorId)), type: "create" } as const;
  expect((await verify(browser, factorId, crossed, answerTo(crossed, key))).error).toMatchObject(FAILED);
  expect((await verify(browser, factorId, crossed, answerTo(crossed, key))).error).toMatchObject(
    NO_CHALLENGE,
  );

  const used = await challenge(browser, factorId);
  const answer = answerTo(used, key);
  expect((await verify(browser, factorId, used, answer)).error).toBe(null);
  expect((await verify(browser, factorId, used, answer)).error).toMatchObject(NO_CHALLENGE);

  const late = await challenge(browser, factorId);
  await testServer.query(
    "update auth.mfa_challenges set created_at = now() - interval '6 min' where id = $1",
    [late.id],
  );
  expect((await verify(browser, factorId, late, answerTo(late, key))).error).toMatchObject({
    status: 422,
    code: "mfa_challenge_expired",
  });
});

test.each([
  [{}, "WebAuthn config required"],
  [{ webauthn: { type: "both" } }, "WebAuthn type must be create or request"],
  [{ webauthn: { type: "create" } }, "credential_response required"],
])("%j is not a valid response", async (part, message) => {
  const { browser } = await join();
  const factorId = await enroll(browser);
  const { data } = await browser.auth.getSession();
  const answer = await testServer.request("POST", `/factors/${factorId}/verify`, {
    token: data.session?.access_token ?? null,
    body: { challenge_id: crypto.randomUUID(), ...part },
  });
  expect([answer.status, answer.body.error_code, answer.body.msg]).toEqual([
    400,
    "validation_failed",
    message,
  ]);
});

test("a new key is verified at once, and raises the session that created it", async () => {
  const { browser, claims, factorId } = await joinWithKey();
  expect(claims).toMatchObject({ aal: "aal2", amr: [{ method: "mfa/webauthn" }, { method: "password" }] });
  const { data } = await browser.auth.mfa.listFactors();
  expect(data?.webauthn).toMatchObject([{ id: factorId, friendly_name: "key", status: "verified" }]);
  expect((await browser.auth.mfa.unenroll({ factorId })).error).toBe(null);
  const { data: after } = await browser.auth.refreshSession();
  expect(decodeJwt(after.session?.access_token ?? "")).toMatchObject({
    aal: "aal1",
    amr: [{ method: "password" }],
  });
});

test("the relying party is determined by the service, whatever the page sends", async () => {
  const { browser } = await join();
  const { publicKey } = await challenge(browser, await enroll(browser));
  expect(publicKey).toMatchObject({ rp: { id: "site.test", name: "Harbor" }, attestation: "none" });
});

test("the next sign-in accepts any of the user's keys, and none whose counter lags behind", async () => {
  const person = await joinWithKey();
  const second = createAuthenticator(SITE);
  const secondId = await enroll(person.browser, "spare");
  expect((await present(person.browser, secondId, second)).error).toBe(null);

  const browser = await signInAgain(person);
  const { publicKey } = await challenge(browser, person.factorId);
  expect((publicKey as { allowCredentials?: unknown[] }).allowCredentials).toHaveLength(2);
  const stranger = createAuthenticator(SITE);
  expect((await present(browser, person.factorId, stranger)).error).toMatchObject(FAILED);
  const { data, error } = await present(browser, person.factorId, second, { counter: 9 });
  expect(error).toBe(null);
  expect(decodeJwt(data?.access_token ?? "").aal).toBe("aal2");

  const later = await signInAgain(person);
  expect((await present(later, secondId, second, { counter: 9 })).error).toMatchObject(FAILED);
  await person.browser.auth.mfa.unenroll({ factorId: secondId });
  expect((await present(later, person.factorId, second, { counter: 10 })).error).toMatchObject(FAILED);
  expect((await present(later, person.factorId, person.key)).error).toBe(null);
});

test("a factor enrolled with the password alone cannot be verified once there is another", async () => {
  const person = await join();
  const thief = await signInAgain(person);
  const begun = await enroll(thief, "thief's");
  const { data } = await person.browser.auth.mfa.enroll({ factorType: "totp", friendlyName: "app" });
  const code = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? "") }).generate();
  await person.browser.auth.mfa.challengeAndVerify({ factorId: data?.id ?? "", code });
  const again = await signInAgain(person);
  expect((await present(again, begun, createAuthenticator(SITE))).error).toMatchObject({
    status: 403,
    code: "insufficient_aal",
  });
});

test("names are unique across all types", async () => {
  const { browser } = await join();
  await enroll(browser, "one");
  const { error } = await browser.auth.mfa.enroll({ factorType: "totp", friendlyName: "one" });
  expect(error).toMatchObject({ status: 422, code: "mfa_factor_name_conflict" });
});
