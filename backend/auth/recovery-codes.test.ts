import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  testServer = await openAuth({
    recoveryCodes: true,
    accountGuard: { proofSeconds: 600, undoPage: "http://site.test/auth" },
  });
});
afterAll(() => testServer.close());

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

async function join() {
  const email = `person${++people}@example.org`;
  const browser = testServer.visitor();
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  const token = async () => (await browser.auth.getSession()).data.session?.access_token ?? "";
  return { email, browser, id: data.user?.id as string, token };
}

async function joinWithFactor() {
  const person = await join();
  const { mfa } = person.browser.auth;
  const { data } = await mfa.enroll({ factorType: "totp", friendlyName: "phone" });
  if (data?.type !== "totp") throw new Error("no factor");
  await mfa.challengeAndVerify({ factorId: data.id, code: codeOf(data.totp.secret) });
  return { ...person, factorId: data.id };
}

const post = (path: string, token: string, body: unknown = {}) =>
  testServer.request("POST", `/factors/recovery-codes${path}`, { token, body });
const count = async (token: string) =>
  (await testServer.request("GET", "/factors/recovery-codes", { token })).body;

async function joinWithCodes() {
  const person = await joinWithFactor();
  const { body } = await post("", await person.token());
  return { ...person, codes: body.codes as string[] };
}

/** A sign-in on another device with the first factor only. */
async function signInHalf(email: string): Promise<string> {
  const { data } = await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD });
  return data.session?.access_token ?? "";
}

test("a set has ten codes, none stored in plain text, and a new set invalidates the previous one", async () => {
  const person = await joinWithCodes();
  expect(new Set(person.codes).size).toBe(10);
  for (const code of person.codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/);
  expect(await count(await person.token())).toEqual({ made_at: expect.any(String), remaining: 10 });
  const stored = JSON.stringify(await testServer.query("select * from backend.recovery_codes"));
  for (const code of person.codes) expect(stored).not.toContain(code);
  expect((await testServer.mailTo(person.email, 2)).subject).toBe(
    "New recovery codes were made for your account at Harbor",
  );
  await post("", await person.token());
  const half = await signInHalf(person.email);
  expect((await post("/verify", half, { code: person.codes[0] })).body.error_code).toBe(
    "mfa_verification_failed",
  );
});

test("a code raises one session to aal2, in any spelling, triggers a notice, and works once", async () => {
  const { email, codes } = await joinWithCodes();
  const half = await signInHalf(email);
  expect(
    (await testServer.request("PUT", "/user", { token: half, body: { password: "another 1 Try!" } })).status,
  ).toBe(401);
  const typed = ` ${codes[0]?.replace("-", " ").toUpperCase()}`;
  const { status, body } = await post("/verify", half, { code: typed });
  expect(status).toBe(200);
  const claims = decodeJwt(body.access_token as string);
  expect(claims).toMatchObject({
    aal: "aal2",
    amr: [{ method: "mfa/recovery_code" }, { method: "password" }],
  });
  const { subject, text } = await testServer.mailTo(email, 3);
  expect(subject).toBe("A recovery code opened your account at Harbor");
  expect(text).toContain("9 are left");
  expect(text).toContain("http://site.test/auth#way_back=");
  expect(await count(body.access_token as string)).toMatchObject({ remaining: 9 });
  // The session continues, and the code is spent.
  const browser = testServer.visitor();
  const tokens = { access_token: body.access_token as string, refresh_token: body.refresh_token as string };
  expect((await browser.auth.setSession(tokens)).error).toBe(null);
  expect((await browser.auth.refreshSession()).error).toBe(null);
  expect((await post("/verify", await signInHalf(email), { code: codes[0] })).body.error_code).toBe(
    "mfa_verification_failed",
  );
});

test("two concurrent uses of one code spend it once", async () => {
  const { email, codes } = await joinWithCodes();
  const halves = [await signInHalf(email), await signInHalf(email)];
  const answers = await Promise.all(halves.map((half) => post("/verify", half, { code: codes[0] })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("guesses are limited, and other users' codes do not work", async () => {
  const [person, other] = [await joinWithCodes(), await joinWithCodes()];
  const half = await signInHalf(person.email);
  expect((await post("/verify", half, { code: other.codes[0] })).status).toBe(422);
  const tries = [];
  for (let left = 5; left > 0; left--)
    tries.push((await post("/verify", half, { code: "22222-22222" })).status);
  expect(tries.at(-1)).toBe(429);
  expect((await post("/verify", half, { code: person.codes[0] })).status).toBe(429);
});

test("codes require a second factor, its use and recent proof, and are deleted with the last factor", async () => {
  const plain = await join();
  expect((await post("", await plain.token())).body.error_code).toBe("mfa_factor_not_found");
  const person = await joinWithCodes();
  const half = await signInHalf(person.email);
  expect((await post("", half)).body.error_code).toBe("insufficient_aal");
  await testServer.query("update auth.mfa_amr_claims set updated_at = now() - interval '11 min'");
  expect((await post("", await person.token())).body.error_code).toBe("reauthentication_needed");
  await testServer.server.auth.admin.mfa.deleteFactor({ userId: person.id, id: person.factorId });
  expect(await testServer.query(`select from backend.recovery_codes where user_id = '${person.id}'`)).toEqual(
    [],
  );
});

test("taking the account back invalidates codes generated since", async () => {
  const { email, id } = await joinWithCodes();
  const mail = await testServer.mailTo(email, 2);
  const token = /#way_back=(\S+)/.exec(mail.text)?.[1];
  await testServer.request("POST", "/verify", { body: { type: "recovery", token_hash: token } });
  expect(await testServer.query(`select from backend.recovery_codes where user_id = '${id}'`)).toEqual([]);
});

test("codes cannot be read through the API, and do not exist if disabled", async () => {
  const own = await openAuth();
  const { data } = await own.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const token = data.session?.access_token ?? "";
  expect((await own.request("GET", "/factors/recovery-codes", { token })).body.error_code).toBe(
    "feature_disabled",
  );
  for (const role of ["anon", "authenticated", "service_role", "authenticator"]) {
    const [row] = await own.query(
      "select has_table_privilege($1, 'backend.recovery_codes', 'select') as may",
      [role],
    );
    expect(row?.may).toBe(false);
  }
  await own.close();
});
