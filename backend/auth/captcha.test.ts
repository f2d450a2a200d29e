import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { listen } from "#tests/helpers/listen.ts";

const asked: URLSearchParams[] = [];
const answering = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const fields = new URLSearchParams(body);
  asked.push(fields);
  if (fields.get("response") === "broken") return response.end("no JSON");
  const success = fields.get("response") === "solved";
  response.end(JSON.stringify({ success, ...(!success && { "error-codes": ["invalid-input-response"] }) }));
});
const maker = await listen(answering);
let testServer: AuthTestServer;

beforeAll(async () => {
  const verifyUrl = `${maker.url}/siteverify`;
  testServer = await openAuth({
    passkeysEnabled: true,
    // Not a whole number of milliseconds.
    captcha: { maker: "hcaptcha", secret: "between us", verifyUrl, timeout: 60.0005 },
  });
});
afterAll(async () => {
  await testServer.close();
  await maker.close();
});

const account = (captchaToken?: string) => ({
  email: "ann@example.org",
  password: PASSWORD,
  ...(captchaToken && { options: { captchaToken } }),
});

test("without a solved captcha, signing up, signing in and requesting mails are refused", async () => {
  const { auth } = testServer.visitor();
  for (const { error } of [
    await auth.signUp(account()),
    await auth.signInWithPassword(account()),
    await auth.signInWithOtp({ email: "ann@example.org" }),
    await auth.passkey.startAuthentication(),
    await auth.resetPasswordForEmail("ann@example.org"),
    await auth.resend({ type: "signup", email: "ann@example.org" }),
  ]) {
    expect(error).toMatchObject({
      status: 400,
      code: "captcha_failed",
      message: "captcha protection: request disallowed (no captcha_token found)",
    });
  }
  expect((await auth.signUp(account("guessed"))).error?.message).toBe(
    "captcha protection: request disallowed (invalid-input-response)",
  );
  expect((await auth.signUp(account("broken"))).error).toMatchObject({ status: 500 });
  expect(testServer.logged.at(-1)).toMatch(/^auth: a captcha could not be verified: SyntaxError /);
});

test("a query parameter of another endpoint makes no captcha superfluous", async () => {
  const body = account();
  for (const path of ["/signup", "/otp", "/magiclink", "/recover", "/resend", "/sso"]) {
    for (const grant of ["pkce", "refresh_token"]) {
      const answer = await testServer.request("POST", `${path}?grant_type=${grant}`, { body });
      expect([path, answer.body.error_code]).toEqual([path, "captcha_failed"]);
    }
  }
});

test("every grant that proves who someone is needs one", async () => {
  for (const grant of ["password", "id_token", "web3"]) {
    const answer = await testServer.request("POST", `/token?grant_type=${grant}`, { body: account() });
    expect([grant, answer.body.error_code]).toEqual([grant, "captcha_failed"]);
  }
});

test("with a solved captcha they succeed, and the session continues without another", async () => {
  const { auth } = testServer.visitor();
  expect((await auth.signUp(account("solved"))).error).toBe(null);
  expect((await auth.refreshSession()).error).toBe(null);
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ secret: "between us", response: "solved" });
});

test("servers need no captcha, and neither does anyone if captchas are disabled", async () => {
  expect((await testServer.server.auth.signInWithPassword(account())).error).toBe(null);
  const open = await openAuth();
  expect((await open.visitor().auth.signUp(account("whatever"))).error).toBe(null);
  await open.close();
});
