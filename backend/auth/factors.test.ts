import { createHmac } from "node:crypto";
import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

import { seal, unseal } from "./factors/sealed-secret.ts";

let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  testServer = await openAuth();
});
afterAll(() => testServer.close());

const STEP_MS = 30_000;
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
/** Six digits that no time step near the current one yields. */
const wrongCodeOf = (secret: string) =>
  ["000000", "111111", "222222", "333333"].find(
    (code) => ![-1, 0, 1].some((steps) => codeOf(secret, steps) === code),
  ) as string;

async function join() {
  const email = `person${++people}@example.org`;
  const browser = testServer.visitor();
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  return { email, browser, id: data.user?.id as string, token: data.session?.access_token as string };
}

async function enroll(
  { browser }: Pick<Awaited<ReturnType<typeof join>>, "browser">,
  friendlyName = "phone",
) {
  const { data, error } = await browser.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  return { factorId: data.id, secret: data.totp.secret, totp: data.totp };
}

async function joinWithFactor() {
  const person = await join();
  const factor = await enroll(person);
  const { error } = await person.browser.auth.mfa.challengeAndVerify({
    factorId: factor.factorId,
    code: codeOf(factor.secret),
  });
  if (error) throw error;
  return { ...person, ...factor };
}

test.each([
  [{ factor_type: "phone", phone: "+49" }, 422, "mfa_phone_enroll_not_enabled"],
  [{ factor_type: "webauthn" }, 422, "mfa_webauthn_enroll_not_enabled"],
  [{ factor_type: "voice" }, 400, "validation_failed"],
])("enrolling %j is refused", async (body, status, code) => {
  const { token } = await join();
  const answer = await testServer.request("POST", "/factors", { token, body });
  expect([answer.status, answer.body.error_code]).toEqual([status, code]);
});

test("factor names are unique, and ten factors are the maximum", async () => {
  const person = await join();
  await enroll(person, "one");
  await expect(enroll(person, "one")).rejects.toMatchObject({
    status: 422,
    code: "mfa_factor_name_conflict",
  });
  for (let i = 1; i < 10; i++) await enroll(person, `more ${i}`);
  await expect(enroll(person, "eleventh")).rejects.toMatchObject({
    status: 422,
    code: "too_many_enrolled_mfa_factors",
  });
});

test("a refresh token from before the second factor never yields the raised session, and ends nothing", async () => {
  const person = await join();
  const stolen = (await person.browser.auth.getSession()).data.session?.refresh_token;
  const { factorId, secret } = await enroll(person);
  await person.browser.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
  const thief = await testServer.request("POST", "/token?grant_type=refresh_token", {
    body: { refresh_token: stolen },
  });
  expect(thief).toMatchObject({ status: 400, body: { error_code: "refresh_token_already_used" } });
  const { data } = await person.browser.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? "").aal).toBe("aal2");
});

test("fifty wrong codes a day are the limit", async () => {
  const person = await join();
  const { factorId, secret } = await enroll(person);
  const guess = async () =>
    (await person.browser.auth.mfa.challengeAndVerify({ factorId, code: wrongCodeOf(secret) })).error?.code;
  expect(await guess()).toBe("mfa_verification_failed");
  await testServer.query("update backend.rate_limits set points = 50 where key like 'accountFactorDay:%'");
  expect(await guess()).toBe("over_request_rate_limit");
});

test("another user's factor is not found", async () => {
  const [owner, other] = [await join(), await join()];
  const { factorId } = await enroll(owner);
  const challenge = await other.browser.auth.mfa.challenge({ factorId });
  expect(challenge.error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
  expect((await other.browser.auth.mfa.unenroll({ factorId })).error?.code).toBe("mfa_factor_not_found");
  expect((await other.browser.auth.mfa.unenroll({ factorId: "mine" })).error).toMatchObject({
    status: 404,
    code: "validation_failed",
  });
});

test("a factor's key is shown once, as text and QR code, and stored sealed", async () => {
  const person = await join();
  const factor = await enroll(person);
  expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
  expect(factor.totp.uri).toMatch(/^otpauth:\/\/totp\/site\.test:/);
  const { data } = await person.browser.auth.getUser();
  expect(data.user?.factors).toMatchObject([
    { id: factor.factorId, factor_type: "totp", friendly_name: "phone", status: "unverified" },
  ]);
  const [row] = await testServer.query("select secret from auth.mfa_factors where id = $1", [
    factor.factorId,
  ]);
  expect(row?.secret).not.toContain(factor.secret);
});

test("a wrong code, another factor's challenge and an expired one are refused", async () => {
  const person = await join();
  const { factorId, secret } = await enroll(person);
  const { mfa } = person.browser.auth;
  const { data: challenge } = await mfa.challenge({ factorId });
  const challengeId = challenge?.id as string;
  expect((await mfa.verify({ factorId, challengeId, code: wrongCodeOf(secret) })).error).toMatchObject({
    status: 422,
    code: "mfa_verification_failed",
  });
  expect((await mfa.verify({ factorId, challengeId: factorId, code: codeOf(secret) })).error?.code).toBe(
    "mfa_factor_not_found",
  );
  await testServer.query(
    "update auth.mfa_challenges set created_at = now() - interval '6 min' where id = $1",
    [challengeId],
  );
  expect((await mfa.verify({ factorId, challengeId, code: codeOf(secret) })).error?.code).toBe(
    "mfa_challenge_expired",
  );
});

test("the right code raises the session, ends aal1 sessions, and works once", async () => {
  const person = await join();
  const elsewhere = testServer.visitor();
  await elsewhere.auth.signInWithPassword({ email: person.email, password: PASSWORD });
  const { factorId, secret } = await enroll(person);
  const events: string[] = [];
  person.browser.auth.onAuthStateChange((event) => void events.push(event));
  const code = codeOf(secret);
  const { data, error } = await person.browser.auth.mfa.challengeAndVerify({ factorId, code });
  expect(error).toBe(null);
  expect(events).toContain("MFA_CHALLENGE_VERIFIED");
  const claims = decodeJwt(data?.access_token ?? "");
  expect(claims.aal).toBe("aal2");
  expect((claims.amr as { method: string }[]).map(({ method }) => method)).toEqual(["totp", "password"]);
  expect((await elsewhere.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  expect((await person.browser.auth.refreshSession()).error).toBe(null);
  expect((await person.browser.auth.mfa.challengeAndVerify({ factorId, code })).error?.code).toBe(
    "mfa_verification_failed",
  );
});

test("with the first factor alone, neither the password nor the factors can be changed", async () => {
  const { email, factorId } = await joinWithFactor();
  const browser = testServer.visitor();
  await browser.auth.signInWithPassword({ email, password: PASSWORD });
  const level = await browser.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
  expect((await browser.auth.updateUser({ password: `${PASSWORD}2` })).error).toMatchObject({
    status: 401,
    code: "insufficient_aal",
  });
  expect((await browser.auth.mfa.unenroll({ factorId })).error).toMatchObject({
    status: 422,
    code: "insufficient_aal",
  });
  await expect(enroll({ browser }, "second")).rejects.toMatchObject({
    status: 403,
    code: "insufficient_aal",
  });
  expect((await browser.auth.updateUser({ data: { a: 1 } })).error).toBe(null);
});

test("with the first factor alone, only the own session can be ended, not aal2 sessions", async () => {
  const { browser, email, id } = await joinWithFactor();
  for (const scope of ["others", "global"] as const) {
    const half = testServer.visitor();
    const { data } = await half.auth.signInWithPassword({ email, password: PASSWORD });
    const token = data.session?.access_token;
    const { status, body } = await testServer.request("POST", `/logout?scope=${scope}`, { token });
    expect([status, body.error_code]).toEqual(
      scope === "others" ? [403, "insufficient_aal"] : [204, undefined],
    );
    expect((await browser.auth.getUser()).error).toBe(null);
    expect(Boolean((await half.auth.getUser()).error)).toBe(scope === "global");
  }
  await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD });
  expect((await browser.auth.signOut({ scope: "others" })).error).toBe(null);
  expect(await testServer.query("select aal from auth.sessions where user_id = $1", [id])).toEqual([
    { aal: "aal2" },
  ]);
});

test("a factor survives a change of the token secret; one whose sealing key is gone gets a clear error", async () => {
  const own = await openAuth({ sealingKeys: ["a key of its own that is long enough"] });
  const { auth } = own.visitor();
  const { data } = await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const { data: factor } = await auth.mfa.enroll({ factorType: "totp" });
  const [row] = await own.query("select secret from auth.mfa_factors");
  const [id, sealed, key] = [factor?.id ?? "", String(row?.secret), factor?.totp.secret];
  const keyFor = (secret: string) => createHmac("sha256", secret).update("auth/v1").digest("base64url");
  const [older, newer] = [keyFor("a key of its own that is long enough"), keyFor("another one")] as const;
  expect(unseal(sealed, id, [newer, older])).toBe(key);
  expect(unseal(sealed, id, [newer])).toBe(null);
  // Sealed the way it was before SEALING_KEY existed.
  const byToken = seal(String(key), id, [keyFor("only these tests sign with this secret")]);
  const store = (secret: string) => own.query("update auth.mfa_factors set secret = $1", [secret]);
  await store(seal(String(key), id, [newer]));
  const use = () => auth.mfa.challengeAndVerify({ factorId: id, code: codeOf(String(key)) });
  for (let i = 0; i < 2; i++) {
    expect((await use()).error).toMatchObject({
      status: 422,
      message: expect.stringContaining("Ask an administrator"),
    });
  }
  expect(own.logged).toEqual([expect.stringContaining("SEALING_KEY")]);
  await store(byToken);
  expect((await use()).error).toBe(null);
  expect(data.user?.id).toBeTruthy();
  await own.close();
});

test("removing the factor lowers the session", async () => {
  const { browser, factorId } = await joinWithFactor();
  expect((await browser.auth.mfa.unenroll({ factorId })).data?.id).toBe(factorId);
  const { data } = await browser.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({
    aal: "aal1",
    amr: [{ method: "password" }],
  });
});

test("a server lists a user's factors and removes a lost one", async () => {
  const { id, factorId } = await joinWithFactor();
  const { admin } = testServer.server.auth;
  expect((await admin.mfa.listFactors({ userId: id })).data?.factors).toMatchObject([
    { id: factorId, status: "verified" },
  ]);
  const rename = await testServer.request("PUT", `/admin/users/${id}/factors/${factorId}`, {
    token: testServer.serviceRoleKey,
    body: { friendly_name: "New phone" },
  });
  expect(rename).toMatchObject({
    status: 200,
    body: { id: factorId, friendly_name: "New phone", status: "verified" },
  });
  expect((await admin.mfa.deleteFactor({ userId: id, id: factorId })).error).toBe(null);
  expect((await admin.mfa.listFactors({ userId: id })).data?.factors).toEqual([]);
});

test("codes cannot be guessed: five tries a minute", async () => {
  const person = await join();
  const { factorId, secret } = await enroll(person);
  const attempt = (code: string) => person.browser.auth.mfa.challengeAndVerify({ factorId, code });
  for (let i = 0; i < 5; i++) await attempt(wrongCodeOf(secret));
  expect((await attempt(codeOf(secret))).error).toMatchObject({
    status: 429,
    code: "over_request_rate_limit",
  });
});
