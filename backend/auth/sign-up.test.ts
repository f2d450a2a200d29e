import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, codeIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { passwordPolicy } from "./passwords/password-policy.ts";

describe("if accounts are confirmed automatically", () => {
  let testServer: AuthTestServer;
  beforeAll(async () => {
    testServer = await openAuth({
      findPasswordFault: passwordPolicy({ minLength: 12, requiredCharacters: ["0123456789"] }),
    });
  });
  afterAll(() => testServer.close());

  test.each([
    [
      { email: "a@", password: PASSWORD },
      400,
      "validation_failed",
      "Unable to validate email address: invalid format",
    ],
    [{ email: "ann@example.org" }, 400, "validation_failed", "Signup requires a valid password"],
    [{}, 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"],
    [
      { phone: "+4915112345678", password: PASSWORD },
      400,
      "phone_provider_disabled",
      "Phone signups are disabled",
    ],
    [
      { email: "ann@example.org", phone: "4915112345678", password: PASSWORD },
      400,
      "validation_failed",
      "Only an email address or phone number should be provided on signup.",
    ],
    [
      { email: 7, password: PASSWORD },
      400,
      "bad_json",
      "Could not parse request body as JSON: email is not of the expected type",
    ],
    ["{", 400, "bad_json", "Could not parse request body as JSON: it is not JSON"],
    [
      '{"email":"a\\u0000@example.org"}',
      400,
      "bad_json",
      "Could not parse request body as JSON: a text holds a NUL character",
    ],
  ])("%j is refused", async (body, status, code, message) => {
    const answer = await testServer.request("POST", "/signup", {
      body,
      headers: { "x-supabase-api-version": "2024-01-01" },
    });
    expect(answer.body).toEqual({ code, message });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-sb-error-code")).toBe(code);
    expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
  });

  test("a body over 1 MiB is refused", async () => {
    const { status, body } = await testServer.request("POST", "/signup", {
      body: `"${"x".repeat(2 ** 20 + 1)}"`,
    });
    expect({ status, code: body.error_code }).toEqual({ status: 413, code: "request_entity_too_large" });
  });

  test("a caller that sends no version gets the older error format", async () => {
    const { body, headers } = await testServer.request("POST", "/signup", { body: {} });
    expect(body).toEqual({
      code: 422,
      error_code: "anonymous_provider_disabled",
      msg: "Anonymous sign-ins are disabled",
    });
    expect(headers.get("x-supabase-api-version")).toBe(null);
  });

  test("a weak password is refused with its reasons", async () => {
    const { error } = await testServer.visitor().auth.signUp({ email: "weak@example.org", password: "abc" });
    expect(error).toMatchObject({ status: 422, code: "weak_password", reasons: ["length", "characters"] });
    expect(await testServer.query("select from auth.users where email = 'weak@example.org'")).toEqual([]);
  });

  test("a taken address is refused, whatever its case", async () => {
    await testServer.visitor().auth.signUp({ email: "taken@example.org", password: PASSWORD });
    const { error } = await testServer
      .visitor()
      .auth.signUp({ email: "Taken@Example.org", password: `${PASSWORD}2` });
    expect(error).toMatchObject({
      status: 422,
      code: "user_already_exists",
      message: "User already registered",
    });
  });

  test("ten concurrent sign-ups of one address create one account", async () => {
    const attempts = Array.from({ length: 10 }, () =>
      testServer.visitor().auth.signUp({ email: "race@example.org", password: PASSWORD }),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ data }) => data.session)).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.code === "user_already_exists")).toHaveLength(9);
  });

  test("returns a session, an identity and the data that was sent, and creates a profile", async () => {
    const browser = testServer.visitor();
    const { data, error } = await browser.auth.signUp({
      email: " Ann@Example.org ",
      password: PASSWORD,
      options: { data: { a: 1 } },
    });
    expect(error).toBe(null);
    expect(data.session).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: expect.any(String),
    });
    expect(data.session?.expires_at).toBeCloseTo(Date.now() / 1000 + 3600, -1);
    expect(data.user).toMatchObject({
      aud: "authenticated",
      role: "authenticated",
      email: "ann@example.org",
      user_metadata: { a: 1 },
      app_metadata: { provider: "email", providers: ["email"] },
      is_anonymous: false,
      identities: [
        {
          provider: "email",
          email: "ann@example.org",
          identity_data: { email: "ann@example.org", email_verified: true, sub: data.user?.id },
        },
      ],
    });
    expect(data.user?.email_confirmed_at).toMatch(/^\d{4}-.*Z$/);
    const { data: profile } = await browser
      .from("profiles")
      .select("username")
      .eq("id", data.user?.id)
      .single();
    expect(profile?.username).toMatch(/^[A-Za-z0-9_]{3,20}$/);
    expect((await browser.auth.getUser()).data.user?.id).toBe(data.user?.id);
  });

  test("with the address of a banned account that was deleted starts no session", async () => {
    const { visitor, server, query } = testServer;
    const account = { email: "scammer@example.org", password: `${PASSWORD}1` };
    const { data } = await visitor().auth.signUp(account);
    const ban =
      "insert into public.sanctions (user_id, kind, code, reason, until) values ($1, 'ban', 'other', 'x', 'infinity')";
    await query(ban, [data.user?.id]);
    await server.auth.admin.deleteUser(data.user?.id ?? "");
    expect((await visitor().auth.signUp(account)).error).toMatchObject({ status: 403, code: "user_banned" });
    expect(
      await query("select from auth.sessions where user_id in (select user_id from public.sanctions)"),
    ).toEqual([]);
  });

  test("only an argon2id hash of the password is stored", async () => {
    const [row] = await testServer.query(
      "select encrypted_password from auth.users where email = 'ann@example.org'",
    );
    expect(row?.encrypted_password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe("if the address must be confirmed", () => {
  let testServer: AuthTestServer;
  beforeAll(async () => {
    testServer = await openAuth({ mailerAutoconfirm: false });
  });
  afterAll(() => testServer.close());

  test("a new and a taken address get the same response, and only the new one is mailed", async () => {
    await testServer.server.auth.admin.createUser({
      email: "old@example.org",
      password: PASSWORD,
      email_confirm: true,
    });
    const answers = await Promise.all(
      ["old@example.org", "new@example.org"].map((email) =>
        testServer.visitor().auth.signUp({ email, password: PASSWORD, options: { data: { a: 1 } } }),
      ),
    );
    await testServer.mailTo("new@example.org");
    const shapes = answers.map(({ data, error }) => {
      expect(error).toBe(null);
      expect(data.session).toBe(null);
      return JSON.stringify(data.user)
        .replace(/"(id|\w+_at)":"[^"]+"/g, '"$1":"…"')
        .replace(/(old|new)@/, "");
    });
    expect(shapes[0]).toBe(shapes[1]);
    expect(answers[0]?.data.user?.identities).toEqual([]);
    expect(testServer.mails.map(({ to }) => to)).toEqual(["new@example.org"]);
  });

  test("sign-in requires the confirmation, and the mailed code starts a session once", async () => {
    const browser = testServer.visitor();
    const credentials = { email: "wait@example.org", password: PASSWORD };
    await browser.auth.signUp(credentials);
    const mail = await testServer.mailTo(credentials.email);
    expect((await browser.auth.signInWithPassword(credentials)).error).toMatchObject({
      status: 400,
      code: "email_not_confirmed",
    });
    const code = { email: credentials.email, token: codeIn(mail), type: "signup" } as const;
    expect((await browser.auth.verifyOtp(code)).data.session?.user.email_confirmed_at).toBeTruthy();
    expect((await browser.auth.verifyOtp(code)).error).toMatchObject({ status: 403, code: "otp_expired" });
    expect((await browser.auth.signInWithPassword(credentials)).error).toBe(null);
  });
});

test("if sign-ups are disabled, they are refused", async () => {
  const testServer = await openAuth({ disableSignup: true });
  const { error } = await testServer.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
  expect(error).toMatchObject({
    status: 422,
    code: "signup_disabled",
    message: "Signups not allowed for this instance",
  });
  await testServer.close();
});

test("a full disk of the database asks the client to try again, and is not logged for every request", async () => {
  const full = await openAuth();
  await full.query(`
    create function public.fill() returns trigger language plpgsql as
      $$ begin raise 'no space' using errcode = '53100'; end $$;
    create trigger fill before insert on auth.users for each row execute function public.fill()`);
  const body = { email: "late@example.org", password: PASSWORD };
  const answer = await full.request("POST", "/signup", { body });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(full.logged).toEqual(["The database fails: no space (SQLSTATE 53100)"]);
  await full.close();
});
