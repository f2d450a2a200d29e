import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { listen } from "#tests/helpers/listen.ts";
import { retryUntilPassing } from "#tests/helpers/retry.ts";
import { createHooks } from "./hooks/create-hooks.ts";
import { createSmsHook } from "./messages/sms-hook.ts";
import { defaultAuthConfig } from "./service/auth-config.ts";

type Posted = { headers: IncomingMessage["headers"]; body: string };
type Text = { user: { phone: string }; sms: { otp: string } };

const key = randomBytes(32).toString("base64");
const posted: Posted[] = [];
const taking = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  posted.push({ headers: request.headers, body });
  response.end();
});
const hook = await listen(taking);
let testServer: AuthTestServer;

beforeAll(async () => {
  testServer = await openAuth({
    phoneEnabled: true,
    smsTestCodes: { "15550100": "424242" },
    hooks: { sendSms: { url: `${hook.url}/`, keys: [key] } },
  });
});
afterAll(async () => {
  await testServer.close();
  await hook.close();
});

const textTo = (phone: string) =>
  retryUntilPassing(() => {
    const texts = posted.map(({ body }) => JSON.parse(body) as Text);
    const found = texts.findLast(({ user }) => user.phone === phone);
    if (!found) throw new Error(`no text message to ${phone}`);
    return found.sms.otp;
  });

test("without a way to send text messages, a number is refused, and no email address is requested", async () => {
  const mute = await openAuth({ phoneEnabled: true });
  for (const attempt of [
    mute.visitor().auth.signUp({ phone: "+15550101", password: PASSWORD }),
    mute.visitor().auth.signInWithOtp({ phone: "+15550101" }),
  ]) {
    expect((await attempt).error).toMatchObject({
      code: "phone_provider_disabled",
      message: "Unsupported phone provider",
    });
  }
  await mute.close();
});

test("if sending fails, known and unknown numbers get the same error, and one line is logged", async () => {
  let isBroken = false;
  const send = async () => {
    if (isBroken) throw new Error("the SMS hook answered 500");
  };
  const own = await openAuth({ phoneEnabled: true, sms: { send } });
  const { auth } = own.visitor();
  const numbers = Array.from({ length: 8 }, (_, n) => `+1555020${n}`) as [string, ...string[]];
  for (const phone of numbers.slice(0, 2)) {
    await own.server.auth.admin.createUser({ phone, password: PASSWORD, phone_confirm: true });
  }
  const askFor = (phones: string[]) => [
    () => auth.signInWithOtp({ phone: phones[0] as string }),
    () => auth.signUp({ phone: phones[1] as string, password: PASSWORD }),
    () => auth.signUp({ phone: phones[2] as string, password: PASSWORD }),
    () => auth.signInWithOtp({ phone: phones[3] as string, options: { shouldCreateUser: false } }),
  ];
  isBroken = true;
  for (const ask of askFor(numbers.slice(0, 4))) {
    expect((await ask()).error).toMatchObject({
      status: 422,
      code: "sms_send_failed",
      message: "The text message could not be sent. Please try again later.",
    });
  }
  expect(own.logged).toHaveLength(1);
  isBroken = false;
  for (const ask of askFor(numbers.slice(4))) expect((await ask()).error).toBe(null);
  await own.close();
});

test("a message by another channel is refused, not sent as an SMS", async () => {
  const sent = posted.length;
  const phone = "+15550177";
  for (const options of [{ channel: "whatsapp" as const }, { channel: "pigeon" as never }]) {
    const { auth } = testServer.visitor();
    for (const attempt of [
      auth.signInWithOtp({ phone, options }),
      auth.signUp({ phone, password: PASSWORD, options }),
    ])
      expect((await attempt).error).toMatchObject({ status: 400, code: "validation_failed" });
  }
  expect(posted).toHaveLength(sent);
});

test("the code of a change of number is texted again to an account named by its email address", async () => {
  const [email, phone] = ["texted@example.org", "15550178"];
  await testServer.server.auth.admin.createUser({ email, email_confirm: true });
  await testServer.query("update auth.users set phone_change = $2 where email = $1", [email, phone]);
  const body = { type: "phone_change", email };
  expect((await testServer.request("POST", "/resend", { body })).status).toBe(200);
  const token = await textTo(phone);
  const { data } = await testServer.visitor().auth.verifyOtp({ phone, token, type: "phone_change" });
  expect(data.user).toMatchObject({ email, phone });
});

test("changes of many accounts to one number text it no more often than any other", async () => {
  const phone = "15550179";
  for (const email of ["changer1@example.org", "changer2@example.org"]) {
    await testServer.server.auth.admin.createUser({ email, email_confirm: true });
    await testServer.query("update auth.users set phone_change = $2 where email = $1", [email, phone]);
    const body = { type: "phone_change", email };
    expect((await testServer.request("POST", "/resend", { body })).status).toBe(200);
  }
  const texts = posted.map(({ body }) => JSON.parse(body) as Text);
  expect(texts.filter(({ user }) => user.phone === phone)).toHaveLength(1);
});

test("text messages to a number, and those that an account asks for, have a daily limit", async () => {
  const [email, phone] = ["texter@example.org", "+15550180"];
  const { auth } = testServer.visitor();
  await auth.signUp({ email, password: PASSWORD });
  const ask = () => auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
  const change = (next: string) => auth.updateUser({ phone: next });
  const afterAMinute = () =>
    testServer.query("delete from backend.rate_limits where key like 'accountSms:%'");
  expect([(await ask()).error, (await change("+15550181")).error]).toEqual([null, null]);
  await afterAMinute();
  const { points } = defaultAuthConfig.limits.accountSmsDay;
  await testServer.query("update backend.rate_limits set points = $1 where key like 'accountSmsDay:%'", [
    points,
  ]);
  const refusal = { status: 429, code: "over_sms_send_rate_limit" };
  expect((await ask()).error).toMatchObject(refusal);
  expect((await change("+15550182")).error).toMatchObject(refusal);
});

test("a malformed number is refused", async () => {
  const { error } = await testServer.visitor().auth.signUp({ phone: "0151", password: PASSWORD });
  expect(error).toMatchObject({ status: 400, code: "validation_failed" });
});

test("a number with a password signs up, waits for its code, and signs in", async () => {
  const browser = testServer.visitor();
  const account = { phone: "+1 555 0102", password: PASSWORD };
  const { data } = await browser.auth.signUp(account);
  expect(data).toMatchObject({ session: null, user: { phone: "15550102" } });
  const token = await textTo("15550102");
  expect((await browser.auth.signInWithPassword(account)).error?.code).toBe("phone_not_confirmed");
  const proof = { phone: account.phone, token, type: "sms" } as const;
  expect((await browser.auth.verifyOtp({ ...proof, token: "000000" })).error?.code).toBe("otp_expired");
  expect((await browser.auth.verifyOtp(proof)).data.user).toMatchObject({
    phone: "15550102",
    phone_confirmed_at: expect.any(String),
    identities: [{ provider: "phone", identity_data: { phone_verified: true } }],
  });
  expect((await browser.auth.verifyOtp(proof)).error?.code).toBe("otp_expired");
  expect((await testServer.visitor().auth.signInWithPassword(account)).error).toBe(null);
});

test("a code alone also signs in; one a minute is sent, valid for a minute", async () => {
  const phone = "15550103";
  expect((await testServer.visitor().auth.signInWithOtp({ phone })).error).toBe(null);
  const token = await textTo(phone);
  expect((await testServer.visitor().auth.signInWithOtp({ phone })).error).toMatchObject({
    status: 429,
    code: "over_sms_send_rate_limit",
  });
  await testServer.query(
    "update auth.one_time_tokens set created_at = created_at - interval '61 s' where relates_to = $1",
    [phone],
  );
  // Whatever type the client names: a mailed code would be valid for longer.
  for (const type of ["email", "sms"]) {
    const { body } = await testServer.request("POST", "/verify", { body: { phone, token, type } });
    expect(body.error_code).toBe("otp_expired");
  }
});

test("a sign-in code confirms the number, but not a password that a stranger signed up with", async () => {
  const stranger = { phone: "15550104", password: PASSWORD };
  await testServer.server.auth.admin.createUser(stranger);
  const owner = testServer.visitor();
  await owner.auth.signInWithOtp(stranger);
  const token = await textTo(stranger.phone);
  expect((await owner.auth.verifyOtp({ ...stranger, token, type: "sms" })).data.user?.phone).toBe("15550104");
  expect((await testServer.visitor().auth.signInWithPassword(stranger)).error?.code).toBe(
    "invalid_credentials",
  );
});

describe("a change of number", () => {
  const join = async (email: string) => {
    const browser = testServer.visitor();
    await browser.auth.signUp({ email, password: PASSWORD });
    return browser;
  };

  test("is refused for a taken or malformed number", async () => {
    await testServer.server.auth.admin.createUser({ phone: "15550110", phone_confirm: true });
    const browser = await join("pia@example.org");
    expect((await browser.auth.updateUser({ phone: "15550110" })).error).toMatchObject({
      status: 422,
      code: "phone_exists",
    });
    expect((await browser.auth.updateUser({ phone: "0151" })).error?.code).toBe("validation_failed");
  });

  test("waits for the code sent to the new number, which can then sign in", async () => {
    const browser = await join("quinn@example.org");
    const asked = await browser.auth.updateUser({ phone: "+15550111" });
    expect(asked.data.user).toMatchObject({ phone: "", new_phone: "15550111" });
    const token = await textTo("15550111");
    const proof = { phone: "15550111", token, type: "phone_change" } as const;
    const wrong = await browser.auth.verifyOtp({ ...proof, token: "000000" });
    expect(wrong.error?.code).toBe("otp_expired");
    const { data } = await browser.auth.verifyOtp(proof);
    expect(data.user).toMatchObject({ phone: "15550111", phone_confirmed_at: expect.any(String) });
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(["email", "phone"]);
    expect((await browser.auth.verifyOtp(proof)).error?.code).toBe("otp_expired");
    const again = await testServer
      .visitor()
      .auth.signInWithPassword({ phone: "15550111", password: PASSWORD });
    expect(again.error).toBe(null);
  });

  test("ends with the number that was requested last", async () => {
    const browser = await join("rio@example.org");
    await browser.auth.updateUser({ phone: "15550112" });
    const token = await textTo("15550112");
    await testServer.query("update auth.users set phone_change = '15550113' where email = 'rio@example.org'");
    const { error } = await browser.auth.verifyOtp({ phone: "15550112", token, type: "phone_change" });
    expect(error?.code).toBe("otp_expired");
  });
});

test("the operator's test numbers have fixed codes, and get no messages", async () => {
  const phone = "15550100";
  await testServer.visitor().auth.signInWithOtp({ phone });
  const verified = await retryUntilPassing(async () => {
    const { data, error } = await testServer
      .visitor()
      .auth.verifyOtp({ phone, token: "424242", type: "sms" });
    if (error) throw error;
    return data;
  });
  expect(verified.user?.phone).toBe(phone);
  expect(posted.some(({ body }) => body.includes(phone))).toBe(false);
});

test("a notice has no code, only the text and the number", async () => {
  const hooks = createHooks({
    addresses: { sendSms: { url: `${hook.url}/`, keys: [key] } },
    times: defaultAuthConfig.hookTimes,
    database: { run: () => Promise.reject(new Error("no database")) },
    log: () => {},
  });
  const notice = { user: { id: "ann" }, phone: "15550130", notice: "Something was changed." };
  await createSmsHook(hooks).send(notice);
  expect(JSON.parse(posted.at(-1)?.body ?? "")).toMatchObject({
    user: { id: "ann", phone: "15550130" },
    sms: { sms_type: "notice", phone: "15550130", message: "Something was changed." },
  });
});

test("each message is signed, so that the operator can verify its origin", () => {
  const [{ headers, body } = { headers: {}, body: "" }] = posted;
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
  expect(Number(headers["webhook-timestamp"])).toBeCloseTo(Date.now() / 1000, -2);
});
