import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import type { SmsSender } from "./messages/sms-hook.ts";
import { defaultAuthConfig } from "./service/auth-config.ts";

const sent: { phone: string; code: string; purpose?: string }[] = [];
const sms: SmsSender = { send: async (message) => void ("code" in message && sent.push(message)) };
let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  testServer = await openAuth({ phoneEnroll: true, phoneVerify: true, sms });
});
afterAll(() => testServer.close());

async function join() {
  const browser = testServer.visitor();
  const email = `caller${++people}@example.org`;
  await browser.auth.signUp({ email, password: PASSWORD });
  const phone = `1555020${String(people).padStart(4, "0")}`;
  return { browser, email, phone, mfa: browser.auth.mfa };
}

async function enroll({ mfa, phone }: Awaited<ReturnType<typeof join>>, friendlyName = "phone") {
  const { data, error } = await mfa.enroll({ factorType: "phone", phone: `+${phone}`, friendlyName });
  if (error) throw error;
  return data.id;
}

/** The code in the newest message; then lets the minute until the next pass. */
async function challenge(person: Awaited<ReturnType<typeof join>>, factorId: string) {
  await testServer.query("delete from backend.rate_limits where key like 'accountFactorSms:%'");
  const { data, error } = await person.mfa.challenge({ factorId, channel: "sms" });
  if (error) throw error;
  const message = sent.findLast(({ phone }) => phone === person.phone);
  return { challengeId: data.id, code: message?.code ?? "", message };
}

const wrong = (code: string) => (code === "000000" ? "111111" : "000000");

test("if disabled, or without a way to send messages, no code can be requested", async () => {
  const mute = await openAuth({ phoneEnroll: true, phoneVerify: true });
  const { auth } = mute.visitor();
  await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const { data } = await auth.mfa.enroll({ factorType: "phone", phone: "+15550300", friendlyName: "p" });
  expect((await auth.mfa.challenge({ factorId: data?.id ?? "", channel: "sms" })).error).toMatchObject({
    status: 422,
    code: "phone_provider_disabled",
  });
  await mute.close();
});

test.each([
  [{ factor_type: "phone" }, "Phone number required to enroll Phone factor"],
  [{ factor_type: "phone", phone: "0151" }, "Invalid phone number format (E.164 required)"],
])("%j is not a phone number", async (body, message) => {
  const { browser } = await join();
  const token = (await browser.auth.getSession()).data.session?.access_token ?? null;
  const answer = await testServer.request("POST", "/factors", { token, body });
  expect([answer.status, answer.body.msg]).toEqual([400, message]);
});

test("channels other than text messages are refused, and so is a second message within a minute", async () => {
  const person = await join();
  const factorId = await enroll(person);
  expect((await person.mfa.challenge({ factorId, channel: "whatsapp" })).error).toMatchObject({
    status: 400,
    code: "validation_failed",
  });
  expect((await person.mfa.challenge({ factorId, channel: "sms" })).error).toBe(null);
  const soon = await person.mfa.challenge({ factorId, channel: "sms" });
  expect(soon.error).toMatchObject({ status: 429, code: "over_sms_send_rate_limit" });
  const other = await join();
  const theirs = await enroll({ ...other, phone: person.phone });
  expect((await other.mfa.challenge({ factorId: theirs, channel: "sms" })).error?.status).toBe(429);
});

test("a number has a daily limit until its factor is verified, an account has one for all its factors", async () => {
  const owner = await join();
  const own = await enroll(owner);
  const { challengeId, code } = await challenge(owner, own);
  expect((await owner.mfa.verify({ factorId: own, challengeId, code })).error).toBe(null);
  const exhaust = (action: "accountSmsDay" | "accountFactorSmsDay") =>
    testServer.query("update backend.rate_limits set points = $1 where key like $2", [
      defaultAuthConfig.limits[action].points,
      `${action}:%`,
    ]);
  await exhaust("accountSmsDay");
  const stranger = { ...(await join()), phone: owner.phone };
  const theirs = await enroll(stranger);
  const refusal = { status: 429, code: "over_sms_send_rate_limit" };
  await expect(challenge(stranger, theirs)).rejects.toMatchObject(refusal);
  await challenge(owner, own);

  await stranger.mfa.unenroll({ factorId: theirs });
  await exhaust("accountFactorSmsDay");
  const another = { ...stranger, phone: "15550209999" };
  await expect(challenge(another, await enroll(another))).rejects.toMatchObject(refusal);
});

test("a code is valid for its own challenge, once, and for five minutes", async () => {
  const person = await join();
  const factorId = await enroll(person);
  const first = await challenge(person, factorId);
  const second = await challenge(person, factorId);
  const attempt = (challengeId: string, code: string) => person.mfa.verify({ factorId, challengeId, code });
  const failed = { status: 422, code: "mfa_verification_failed", message: "Invalid MFA Phone code entered" };
  expect((await attempt(second.challengeId, wrong(second.code))).error).toMatchObject(failed);
  if (first.code !== second.code) {
    expect((await attempt(first.challengeId, second.code)).error).toMatchObject(failed);
  }
  const [kept] = await testServer.query("select otp_code from auth.mfa_challenges where id = $1", [
    second.challengeId,
  ]);
  expect(kept?.otp_code).not.toContain(second.code);
  expect((await attempt(second.challengeId, second.code)).error).toBe(null);
  expect((await attempt(second.challengeId, second.code)).error?.code).toBe("mfa_factor_not_found");
  await testServer.query("update auth.mfa_challenges set created_at = now() - interval '6 min'");
  expect((await attempt(first.challengeId, first.code)).error?.code).toBe("mfa_challenge_expired");
  const empty = await attempt(first.challengeId, "");
  expect(empty.error).toMatchObject({ status: 400, message: "Code needs to be non-empty" });
});

test("a phone factor's code raises the session, and the message names its purpose", async () => {
  const person = await join();
  const factorId = await enroll(person);
  const { challengeId, code, message } = await challenge(person, factorId);
  expect(message).toMatchObject({
    phone: person.phone,
    purpose: "mfa",
    code: expect.stringMatching(/^\d{6}$/),
  });
  const { data, error } = await person.mfa.verify({ factorId, challengeId, code });
  expect(error).toBe(null);
  expect(decodeJwt(data?.access_token ?? "")).toMatchObject({
    aal: "aal2",
    amr: [{ method: "mfa/phone" }, { method: "password" }],
  });
  const { data: listed } = await person.mfa.listFactors();
  expect(listed?.phone).toMatchObject([{ id: factorId, phone: person.phone, status: "verified" }]);
  await expect(enroll(person, "again")).rejects.toMatchObject({
    status: 422,
    code: "mfa_verified_factor_exists",
  });
  expect((await person.mfa.unenroll({ factorId })).error).toBe(null);
  const { data: after } = await person.browser.auth.refreshSession();
  expect(decodeJwt(after.session?.access_token ?? "")).toMatchObject({
    aal: "aal1",
    amr: [{ method: "password" }],
  });
});

test("an abandoned enrollment is replaced by the next one with the same number", async () => {
  const person = await join();
  await enroll(person, "first");
  const second = await enroll(person, "second");
  const { data } = await person.mfa.listFactors();
  expect(data?.all.map(({ id }) => id)).toEqual([second]);
});

test("the log contains no number and no code, even if a message could not be sent", async () => {
  const broken = await openAuth({
    phoneEnroll: true,
    phoneVerify: true,
    sms: {
      send: vi.fn(async (message) => Promise.reject(new Error(`no way to ${JSON.stringify(message)}`))),
    },
  });
  const { auth } = broken.visitor();
  await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const { data } = await auth.mfa.enroll({ factorType: "phone", phone: "+15550301", friendlyName: "p" });
  expect((await auth.mfa.challenge({ factorId: data?.id ?? "", channel: "sms" })).error?.code).toBe(
    "sms_send_failed",
  );
  expect(broken.logged).toHaveLength(1);
  expect(broken.logged[0]).not.toMatch(/15550301|: \d{6}/);
  await broken.close();
});
