import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, codeIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  testServer = await openAuth({ mailerAutoconfirm: false });
});
afterAll(() => testServer.close());

const LARGE = { a: "x".repeat(20_000) };
/** Servers accept 16 kB of headers, proxies 8 kB per line. */
const LINE = 8_000;
const someAddress = () => `person${++people}@example.org`;
const unlimited = () => testServer.query("delete from backend.rate_limits");

async function enter(email: string, type: "signup" | "email" | "recovery", mails: number) {
  const token = codeIn(await testServer.mailTo(email, mails));
  const { data, error } = await testServer.visitor().auth.verifyOtp({ email, token, type });
  expect(error).toBe(null);
  return data;
}

const DOORS: [path: string, more: object, member: string][] = [
  ["/signup", {}, "data"],
  ["/otp", {}, "data"],
  ["/admin/users", {}, "user_metadata"],
  ["/admin/users", {}, "app_metadata"],
  ["/invite", {}, "data"],
  ["/admin/generate_link", { type: "magiclink" }, "data"],
];

test.each(DOORS)("%s with %j and a list as %s is refused", async (path, more, member) => {
  const body = { email: someAddress(), password: PASSWORD, ...more, [member]: ["a"] };
  const answer = await testServer.request("POST", path, { body, token: testServer.serviceRoleKey });
  expect(answer).toMatchObject({ status: 400, body: { error_code: "bad_json" } });
});

test.each(DOORS)(
  "%s with %j and too much of %s is refused, and creates nothing",
  async (path, more, member) => {
    const email = someAddress();
    const body = { email, password: PASSWORD, ...more, [member]: LARGE };
    const answer = await testServer.request("POST", path, { body, token: testServer.serviceRoleKey });
    expect(answer).toMatchObject({
      status: 400,
      body: { msg: "User data and app data may have 8192 bytes at most each" },
    });
    expect(await testServer.query("select from auth.users where email = $1", [email])).toEqual([]);
  },
);

test("data that is longer when stored than when sent is refused by the database", async () => {
  const email = someAddress();
  const { data } = await testServer.server.auth.admin.createUser({ email });
  const numbers = `{"user_metadata":{"a":[${Array(200).fill("1e99").join()}]}}`;
  const change = (body: unknown) =>
    testServer.request("PUT", `/admin/users/${data.user?.id}`, { body, token: testServer.serviceRoleKey });
  expect((await change(numbers)).status).toBe(400);
  expect((await change({ app_metadata: { a: "x".repeat(5_000) } })).status).toBe(200);
  expect((await change({ app_metadata: { b: "x".repeat(5_000) } })).body.error_code).toBe(
    "validation_failed",
  );
});

test("no account's token exceeds what servers accept, and its data can still be read and reduced", async () => {
  const email = someAddress();
  const { data } = await testServer.server.auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { a: "é".repeat(4_000) },
    app_metadata: { level: 7 },
  });
  const signIn = async () =>
    (await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD })).data;
  const claimsOf = (token = "") => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const token = (await signIn()).session?.access_token;
  expect(token?.length).toBeLessThan(LINE);
  expect(claimsOf(token)).toMatchObject({ user_metadata: {}, app_metadata: { level: 7 }, email });
  await testServer.query(
    "update auth.users set raw_user_meta_data = $2, raw_app_meta_data = $2, phone = repeat('1', 9000) where id = $1",
    [data.user?.id, JSON.stringify(LARGE)],
  );
  const imported = await signIn();
  expect(imported.session?.access_token.length).toBeLessThan(LINE);
  expect(imported.user?.user_metadata).toEqual(LARGE);
  const browser = testServer.visitor();
  await browser.auth.signInWithPassword({ email, password: PASSWORD });
  const mended = await browser.auth.updateUser({ data: { a: null, b: 1 } });
  expect(mended.data.user?.user_metadata).toEqual({ b: 1 });
});

test("a stranger's metadata is dropped when the address's owner signs up, by password, code or recovery", async () => {
  for (const way of ["signup", "email", "recovery"] as const) {
    const email = someAddress();
    const options = (username: string) => ({ data: { username } });
    await testServer
      .visitor()
      .auth.signUp({ email, password: "Another horse 8 staple!", options: options("rude") });
    await testServer.mailTo(email);
    await unlimited();
    const { auth } = testServer.visitor();
    if (way === "signup") await auth.signUp({ email, password: PASSWORD, options: options("own") });
    else if (way === "email") await auth.signInWithOtp({ email, options: options("own") });
    else await auth.resetPasswordForEmail(email);
    const { user } = await enter(email, way, 2);
    expect(user?.user_metadata).toEqual(way === "recovery" ? {} : { username: "own" });
    expect(JSON.stringify(user)).not.toContain("rude");
    await unlimited();
  }
});

test.each(["invitation", "link"])(
  "an operator's %s makes an account invited, and its metadata cannot be replaced by a stranger",
  async (way) => {
    const { admin } = testServer.server.auth;
    const options = { data: { team: "blue" } };
    for (const hasSignedUp of [false, true]) {
      const email = someAddress();
      const stranger = testServer.visitor().auth;
      if (hasSignedUp) {
        await stranger.signUp({ email, password: PASSWORD });
        await testServer.mailTo(email);
      }
      if (way === "invitation") await admin.inviteUserByEmail(email, options);
      else await admin.generateLink({ type: "invite", email, options });
      await unlimited();
      await stranger.signInWithOtp({ email, options: { data: { team: "red" } } });
      const mails = 1 + Number(hasSignedUp) + Number(way === "invitation");
      const { user } = await enter(email, "email", mails);
      expect(user).toMatchObject({ user_metadata: { team: "blue" }, invited_at: expect.any(String) });
    }
  },
);
