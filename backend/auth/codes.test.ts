import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, codeIn, linkIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  testServer = await openAuth({
    mailerAutoconfirm: false,
    externalUrl: "http://site.test/auth/v1",
    uriAllowList: ["https://*.partner.test/**"],
    limits: { ...defaultAuthConfig.limits, accountSend: { points: 5, seconds: 60 } },
  });
});
afterAll(() => testServer.close());

async function person(options: { confirmed?: boolean } = {}) {
  const email = `person${++people}@example.org`;
  const { data } = await testServer.server.auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: options.confirmed ?? true,
  });
  return { email, id: data.user?.id as string };
}

const open = (link: URL) =>
  testServer.request("GET", `${link.pathname.replace("/auth/v1", "")}${link.search}`, {
    headers: { apikey: "" },
  });
const landing = ({ headers }: { headers: Headers }) => new URL(headers.get("location") ?? "");
const fragment = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

describe("a forgotten password", () => {
  test("known and unknown addresses get the same response; only the known one is mailed", async () => {
    const { email } = await person();
    const answers = await Promise.all(
      [email, "nobody@example.org"].map((address) =>
        testServer.visitor().auth.resetPasswordForEmail(address),
      ),
    );
    expect(answers).toEqual([
      { data: {}, error: null },
      { data: {}, error: null },
    ]);
    await testServer.mailTo(email);
    expect(testServer.mails.some(({ to }) => to === "nobody@example.org")).toBe(false);
  });

  test("the link signs in once, and allows setting a new password", async () => {
    const { email } = await person();
    const browser = testServer.visitor();
    await browser.auth.resetPasswordForEmail(email, { redirectTo: "http://site.test/auth?reset" });
    const link = linkIn(await testServer.mailTo(email));
    const opened = await open(link);
    expect(opened.status).toBe(303);
    expect(landing(opened).href).toMatch(/^http:\/\/site\.test\/auth\?reset#/);
    const { access_token = "", refresh_token = "", type } = fragment(landing(opened));
    expect(type).toBe("recovery");
    await browser.auth.setSession({ access_token, refresh_token });
    expect((await browser.auth.updateUser({ password: `${PASSWORD}2` })).error).toBe(null);
    const signed = await testServer.visitor().auth.signInWithPassword({ email, password: `${PASSWORD}2` });
    expect(signed.error).toBe(null);
    expect(fragment(landing(await open(link)))).toMatchObject({
      error: "access_denied",
      error_code: "otp_expired",
      error_description: "Email link is invalid or has expired",
    });
  });

  test("the typed code works as well, only for its own address", async () => {
    const [one, two] = [await person(), await person()];
    await testServer.visitor().auth.resetPasswordForEmail(one.email);
    const token = codeIn(await testServer.mailTo(one.email));
    const verify = (email: string) => testServer.visitor().auth.verifyOtp({ email, token, type: "recovery" });
    expect((await verify(two.email)).error).toMatchObject({ status: 403, code: "otp_expired" });
    expect((await verify("nobody@example.org")).error?.message).toBe("Token has expired or is invalid");
    expect((await verify(one.email)).data.session?.user.email).toBe(one.email);
  });

  test("an expired code is refused", async () => {
    const { email, id } = await person();
    await testServer.visitor().auth.resetPasswordForEmail(email);
    const token = codeIn(await testServer.mailTo(email));
    await testServer.query(
      "update auth.one_time_tokens set created_at = created_at - interval '61 min' where user_id = $1",
      [id],
    );
    const { error } = await testServer.visitor().auth.verifyOtp({ email, token, type: "recovery" });
    expect(error?.code).toBe("otp_expired");
  });

  test("nothing in the database can be used as a code", async () => {
    const { email, id } = await person();
    await testServer.visitor().auth.resetPasswordForEmail(email);
    const mail = await testServer.mailTo(email);
    const [row] = await testServer.query("select * from auth.one_time_tokens where user_id = $1", [id]);
    expect(JSON.stringify(row)).not.toContain(codeIn(mail));
    expect(JSON.stringify(row)).not.toContain(linkIn(mail).searchParams.get("token"));
    const { error } = await testServer
      .visitor()
      .auth.verifyOtp({ token_hash: row?.token_hash as string, type: "recovery" });
    expect(error).toMatchObject({ code: "otp_expired", message: "Email link is invalid or has expired" });
  });
});

describe("signing in by mail", () => {
  test("the mailed token hash starts a session", async () => {
    const { email } = await person();
    expect((await testServer.visitor().auth.signInWithOtp({ email })).error).toBe(null);
    const token_hash = linkIn(await testServer.mailTo(email)).searchParams.get("token") ?? "";
    expect((await testServer.visitor().auth.verifyOtp({ token_hash, type: "email" })).data.user?.email).toBe(
      email,
    );
  });

  test("an unknown address gets an account, unless the request says not to", async () => {
    const unwanted = { email: "unwanted@example.org", options: { shouldCreateUser: false } };
    expect((await testServer.visitor().auth.signInWithOtp(unwanted)).error).toBe(null);
    await testServer
      .visitor()
      .auth.signInWithOtp({ email: "wanted@example.org", options: { data: { a: 1 } } });
    const token = codeIn(await testServer.mailTo("wanted@example.org"));
    const { data } = await testServer
      .visitor()
      .auth.verifyOtp({ email: "wanted@example.org", token, type: "email" });
    expect(data.user).toMatchObject({ user_metadata: { a: 1 }, email_confirmed_at: expect.any(String) });
    expect(await testServer.query("select from auth.users where email = 'unwanted@example.org'")).toEqual([]);
  });

  test("a stranger's password on an unconfirmed address is dropped when its owner recovers the account", async () => {
    const { email } = await person({ confirmed: false });
    await testServer.visitor().auth.resetPasswordForEmail(email);
    const token = codeIn(await testServer.mailTo(email));
    expect((await testServer.visitor().auth.verifyOtp({ email, token, type: "recovery" })).error).toBe(null);
    const stranger = await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD });
    expect(stranger.error?.code).toBe("invalid_credentials");
  });

  test("it is also dropped when the owner signs up; the same password sent twice is kept", async () => {
    const [taken, own] = [await person({ confirmed: false }), await person({ confirmed: false })];
    const signUpAs = async (email: string, password: string) => {
      await testServer.visitor().auth.signUp({ email, password });
      await open(linkIn(await testServer.mailTo(email)));
      return (await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error?.code;
    };
    expect(await signUpAs(taken.email, "Another horse 8 staple!")).toBe("invalid_credentials");
    expect(await signUpAs(own.email, PASSWORD)).toBeUndefined();
  });

  test("it is also dropped when the owner signs in with a code, or is invited", async () => {
    const [byCode, byInvitation] = [await person({ confirmed: false }), await person({ confirmed: false })];
    await testServer.visitor().auth.signInWithOtp({ email: byCode.email });
    await testServer.server.auth.admin.inviteUserByEmail(byInvitation.email);
    for (const { email } of [byCode, byInvitation]) {
      expect(fragment(landing(await open(linkIn(await testServer.mailTo(email))))).access_token).toBeTruthy();
      const stranger = await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD });
      expect(stranger.error?.code).toBe("invalid_credentials");
    }
  });

  test("an address of a banned account that was deleted opens nothing, and stays confirmed", async () => {
    const { admin } = testServer.server.auth;
    const { email, id } = await person();
    const ban =
      "insert into public.sanctions (user_id, kind, code, reason, until) values ($1, 'ban', 'other', 'x', 'infinity')";
    await testServer.query(ban, [id]);
    await admin.deleteUser(id);
    const browser = testServer.visitor();
    await browser.auth.signInWithOtp({ email });
    const token = codeIn(await testServer.mailTo(email));
    const answer = await browser.auth.verifyOtp({ email, token, type: "email" });
    expect(answer.error).toMatchObject({ status: 403, code: "user_banned" });
    const [user] = await testServer.query(
      "select email_confirmed_at is not null as confirmed, banned_until > now() as banned from auth.users where email = $1",
      [email],
    );
    expect(user).toEqual({ confirmed: true, banned: true });
  });

  test("with PKCE, only the requesting browser gets the session, once", async () => {
    const { email } = await person();
    const browser = testServer.visitor({ flowType: "pkce" });
    await browser.auth.signInWithOtp({ email });
    const link = linkIn(await testServer.mailTo(email));
    expect(link.searchParams.get("token")).toMatch(/^pkce_/);
    const cut = new URL(link.href.replace("pkce_", ""));
    expect(fragment(landing(await open(cut))).error_code).toBe("otp_expired");
    const token_hash = cut.searchParams.get("token") ?? "";
    expect((await browser.auth.verifyOtp({ token_hash, type: "magiclink" })).error?.code).toBe("otp_expired");
    const to = landing(await open(link));
    expect(to.hash).toBe("");
    const code = to.searchParams.get("code") ?? "";
    const wrong = await testServer.request("POST", "/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "x".repeat(43) },
    });
    expect(wrong).toMatchObject({ status: 400, body: { error_code: "bad_code_verifier" } });
    expect((await browser.auth.exchangeCodeForSession(code)).data.user?.email).toBe(email);
    const again = await testServer.request("POST", "/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "x".repeat(43) },
    });
    expect(again).toMatchObject({ status: 404, body: { error_code: "flow_state_not_found" } });
  });
});

test("the code from a link is valid as long as the operator says", async () => {
  const brief = await openAuth({ flowStateExpiry: 60 });
  const browser = brief.visitor({ flowType: "pkce" });
  const email = "brief@example.org";
  await browser.auth.signInWithOtp({ email });
  const { pathname, search } = linkIn(await brief.mailTo(email));
  const opened = await brief.raw("GET", `${pathname.replace("/auth/v1", "")}${search}`);
  await brief.query("update auth.flow_state set auth_code_issued_at = now() - interval '2 min'");
  const { error } = await browser.auth.exchangeCodeForSession(landing(opened).searchParams.get("code") ?? "");
  expect(error).toMatchObject({ status: 422, code: "flow_state_expired" });
  await brief.close();
});

test("a resent mail is for the browser that requested the first one", async () => {
  const [changing, next, joining] = [(await person()).email, "next@example.org", "joining@example.org"];
  const browser = testServer.visitor({ flowType: "pkce" });
  await browser.auth.signInWithPassword({ email: changing, password: PASSWORD });
  await browser.auth.updateUser({ email: next });
  await testServer.visitor().auth.resend({ type: "email_change", email: changing });
  const half = landing(await open(linkIn(await testServer.mailTo(changing, 2))));
  expect(half.searchParams.get("message")).toContain("confirm link sent to the other email");
  expect(fragment(half).message).toBe(half.searchParams.get("message"));
  const newcomer = testServer.visitor({ flowType: "pkce" });
  await newcomer.auth.signUp({ email: joining, password: PASSWORD });
  await testServer.mailTo(joining);
  await testServer.visitor().auth.resend({ type: "signup", email: joining });
  for (const [address, asker] of [
    [next, browser],
    [joining, newcomer],
  ] as const) {
    const to = landing(await open(linkIn(await testServer.mailTo(address, 2))));
    expect(to.hash).toBe("");
    const { data } = await asker.auth.exchangeCodeForSession(to.searchParams.get("code") ?? "");
    expect(data.user?.email).toBe(address);
  }
});

test("the code in a PKCE mail can also be typed in", async () => {
  const { email } = await person();
  await testServer.visitor({ flowType: "pkce" }).auth.signInWithOtp({ email });
  const token = codeIn(await testServer.mailTo(email));
  expect((await testServer.visitor().auth.verifyOtp({ email, token, type: "email" })).error).toBe(null);
});

describe("where links lead", () => {
  test.each([
    ["http://site.test/deep?x=1", "http://site.test/deep?x=1"],
    ["https://app.partner.test/any/where", "https://app.partner.test/any/where"],
    ["https://evil.test/", "http://site.test"],
    ["https://a.b.partner.test/x", "http://site.test"],
    ["http://site.test.evil.test/", "http://site.test"],
    ["http://site.test@evil.test/", "http://site.test"],
    ["http://somebody@site.test/", "http://site.test"],
    ["javascript:alert(1)", "http://site.test"],
    ["//evil.test", "http://site.test"],
    // The service's own addresses redirect to applications and providers, with the fragment that holds the session.
    ["http://site.test/auth/v1/oauth/authorize?client_id=x", "http://site.test"],
    ["http://site.test/x/../auth/v1/authorize?provider=x", "http://site.test"],
    // As a gateway reads it.
    ["http://site.test/%61uth/v1/oauth/authorize?client_id=x", "http://site.test"],
    ["http://site.test//auth/v1/oauth/authorize?client_id=x", "http://site.test"],
    ["http://site.test/x/..%2fauth/v1/oauth/authorize?client_id=x", "http://site.test"],
    ["http://site.test/100%/deep", "http://site.test/100%/deep"],
    ["https://2130706433\\.partner.test/", "http://site.test"],
    ["https://2130706433?.partner.test/", "http://site.test"],
  ])("%s → %s", async (asked, expected) => {
    const { email } = await person();
    const { data } = await testServer.server.auth.admin.generateLink({
      type: "magiclink",
      email,
      options: { redirectTo: asked },
    });
    expect(data.properties?.redirect_to).toBe(expected);
    const link = new URL(data.properties?.action_link ?? "");
    link.searchParams.set("redirect_to", asked);
    expect(landing(await open(link)).origin).toBe(new URL(expected).origin);
  });
});

describe("changing the email address", () => {
  async function asking() {
    const { email } = await person();
    const browser = testServer.visitor();
    await browser.auth.signInWithPassword({ email, password: PASSWORD });
    return { email, browser, newEmail: `new-${email}` };
  }

  test("a taken address is refused", async () => {
    const [{ browser }, other] = [await asking(), await person()];
    expect((await browser.auth.updateUser({ email: other.email })).error).toMatchObject({
      status: 422,
      code: "email_exists",
    });
  });

  test("one mailbox cannot agree for the other, however often it confirms", async () => {
    const { email, newEmail, browser } = await asking();
    await browser.auth.updateUser({ email: newEmail });
    const agree = async (mail: number) => {
      const token = codeIn(await testServer.mailTo(newEmail, mail));
      return testServer.visitor().auth.verifyOtp({ email: newEmail, token, type: "email_change" });
    };
    await agree(1);
    await testServer.visitor().auth.resend({ type: "email_change", email });
    expect((await agree(2)).data.session).toBe(null);
    expect((await browser.auth.getUser()).data.user?.email).toBe(email);
    await open(linkIn(await testServer.mailTo(email, 1)));
    expect((await browser.auth.getUser()).data.user?.email).toBe(newEmail);
  });

  /** Lets two requests continue only after both wait for the user's row. */
  async function atOnce(email: string, work: () => Promise<unknown>) {
    await testServer.query("begin");
    await testServer.query("select from auth.users where email = $1 for update", [email]);
    const done = work();
    const waiting = async () => {
      // Statistics are cached within a transaction.
      await testServer.query("select pg_stat_clear_snapshot()");
      return testServer.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
    };
    await expect.poll(waiting).toHaveLength(2);
    await testServer.query("commit");
    await done;
  }

  test("concurrent confirmations by both mailboxes change the address, and both mails name the new one", async () => {
    const { email, newEmail, browser } = await asking();
    await browser.auth.updateUser({ email: newEmail });
    const mails = await Promise.all([testServer.mailTo(email), testServer.mailTo(newEmail)]);
    for (const { text } of mails) expect(text).toContain(`is about to be changed to ${newEmail}.`);
    await atOnce(email, () => Promise.all(mails.map((mail) => open(linkIn(mail)))));
    expect((await browser.auth.getUser()).data.user?.email).toBe(newEmail);
  });

  test("links mailed to the old mailbox are invalid after the change", async () => {
    const { email, id } = await person();
    await testServer.visitor().auth.resetPasswordForEmail(email);
    const link = linkIn(await testServer.mailTo(email));
    await testServer.server.auth.admin.updateUserById(id, { email: `moved-${email}` });
    expect(fragment(landing(await open(link))).error_code).toBe("otp_expired");
  });

  test("a new password ends a pending change, which a stranger may have begun, and other mailed links", async () => {
    const { email, newEmail, browser } = await asking();
    await browser.auth.updateUser({ email: newEmail });
    const { data } = await browser.auth.updateUser({ password: `${PASSWORD}2` });
    expect(data.user).not.toHaveProperty("new_email");
    expect(data.user).not.toHaveProperty("email_change_sent_at");
    await testServer.visitor().auth.resend({ type: "email_change", email });
    for (const to of [email, newEmail]) {
      expect(fragment(landing(await open(linkIn(await testServer.mailTo(to))))).error_code).toBe(
        "otp_expired",
      );
    }
    await testServer.visitor().auth.signInWithOtp({ email });
    const link = linkIn(await testServer.mailTo(email, 2));
    await testServer.server.auth.admin.updateUserById(data.user?.id ?? "", { password: `${PASSWORD}3` });
    expect(fragment(landing(await open(link))).error_code).toBe("otp_expired");
    expect(testServer.mails.filter(({ to }) => to === newEmail)).toHaveLength(1);
  });

  test("a user cannot send mail to a list of strangers", async () => {
    const { browser } = await asking();
    const codes: (string | undefined)[] = [];
    for (let to = 0; to < 6; to++) {
      codes.push((await browser.auth.updateUser({ email: `stranger${to}@example.com` })).error?.code);
    }
    expect(codes).toEqual([...Array(5).fill(undefined), "over_email_send_rate_limit"]);
  });

  test("nor if sign-ups need no confirmation, and they cannot find out which addresses have an account", async () => {
    const open = await openAuth();
    const sign = async (email: string) => {
      const browser = open.visitor();
      await browser.auth.signUp({ email, password: PASSWORD });
      return browser;
    };
    await sign("taken@example.org");
    const browser = await sign("changes@example.org");
    const change = async (email: string) => (await browser.auth.updateUser({ email })).error?.code;
    expect(await change("stranger@example.org")).toBe(undefined);
    expect(await change("another@example.org")).toBe("over_email_send_rate_limit");
    expect(await change("taken@example.org")).toBe("over_email_send_rate_limit");
    expect((await browser.auth.getUser()).data.user, "both mailboxes must still agree").toMatchObject({
      email: "changes@example.org",
      new_email: "stranger@example.org",
    });
    await open.mailTo("changes@example.org");
    await open.close();
  });

  test("both mailboxes must agree", async () => {
    const { email, newEmail, browser } = await asking();
    expect((await browser.auth.updateUser({ email: newEmail })).data.user).toMatchObject({
      email,
      new_email: newEmail,
    });
    const first = await testServer.visitor().auth.verifyOtp({
      email: newEmail,
      token: codeIn(await testServer.mailTo(newEmail)),
      type: "email_change",
    });
    expect(first).toMatchObject({ data: { session: null, user: null }, error: null });
    expect((await browser.auth.getUser()).data.user?.email).toBe(email);
    const second = fragment(landing(await open(linkIn(await testServer.mailTo(email)))));
    expect(second.access_token).toBeTruthy();
    const { data } = await browser.auth.getUser();
    expect(data.user).toMatchObject({
      email: newEmail,
      identities: [{ identity_data: { email: newEmail } }],
    });
    expect(data.user?.new_email).toBeUndefined();
  });
});

test.each([
  [
    "/verify",
    { type: "signup", token: "1", token_hash: "2" },
    "Verify requires either a token or a token hash",
  ],
  ["/verify", { type: "signup" }, "Verify requires either a token or a token hash"],
  ["/otp", {}, "Only an email address or phone number should be provided"],
  ["/resend", { type: "email_change" }, "Only an email address or phone number should be provided."],
  ["/resend", { type: "signup", email: "" }, "Type provided requires an email address"],
  ["/resend", { type: "sms", phone: "" }, "Type provided requires a phone number"],
])("%s with %j is refused, and sends nothing", async (path, more, msg) => {
  const body = { email: "both@example.org", phone: "15550100", ...more };
  expect(await testServer.request("POST", path, { body })).toMatchObject({
    status: 400,
    body: { error_code: "validation_failed", msg },
  });
  expect(testServer.mails.filter(({ to }) => to === "both@example.org")).toEqual([]);
});

test("a change of address is mailed again to an account named by its number", async () => {
  const [phone, next] = ["4915112349999", "first-address@example.org"];
  await testServer.server.auth.admin.createUser({ phone, phone_confirm: true });
  await testServer.query("update auth.users set email_change = $2 where phone = $1", [phone, next]);
  const body = { type: "email_change", phone: `+${phone}` };
  expect((await testServer.request("POST", "/resend", { body })).status).toBe(200);
  expect(fragment(landing(await open(linkIn(await testServer.mailTo(next))))).access_token).toBeTruthy();
});

test("changes of many accounts to one address mail it no more often than any other", async () => {
  const own = await openAuth();
  const victim = "flooded@example.org";
  const askFor = async (email: string, next: string) => {
    await own.server.auth.admin.createUser({ email, email_confirm: true });
    await own.query("update auth.users set email_change = $2 where email = $1", [email, next]);
    expect((await own.visitor().auth.resend({ type: "email_change", email })).error).toBe(null);
  };
  await askFor("first@example.org", victim);
  await own.mailTo(victim);
  await askFor("second@example.org", victim);
  await own.close();
  expect(own.mails.map(({ to }) => to).sort()).toEqual(["first@example.org", victim]);
});

test("a mail is resent only if one is pending", async () => {
  const [waiting, done] = [await person({ confirmed: false }), await person()];
  for (const email of [waiting.email, done.email, "nobody@example.org"]) {
    expect((await testServer.visitor().auth.resend({ type: "signup", email })).error).toBe(null);
  }
  await testServer.mailTo(waiting.email);
  expect(testServer.mails.filter(({ to }) => to === done.email || to === "nobody@example.org")).toEqual([]);
});

test("after too many wrong codes, even the right one is refused", async () => {
  const { email } = await person();
  await testServer.visitor().auth.resetPasswordForEmail(email);
  const token = codeIn(await testServer.mailTo(email));
  const verify = (code: string) =>
    testServer.visitor().auth.verifyOtp({ email, token: code, type: "recovery" });
  for (let i = 0; i < 10; i++) await verify(token === "000000" ? "000001" : "000000");
  expect((await verify(token)).error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
});

test("a code used twice concurrently is accepted once", async () => {
  const { email } = await person();
  await testServer.visitor().auth.signInWithOtp({ email });
  const token = codeIn(await testServer.mailTo(email));
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => testServer.visitor().auth.verifyOtp({ email, token, type: "email" })),
  );
  expect(answers.filter(({ data }) => data.session)).toHaveLength(1);
});

test("mails and guesses per address have a daily limit; the mailed link still works", async () => {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  const patient = await openAuth({
    limits: {
      ...defaultAuthConfig.limits,
      accountSend: { points: 10, seconds: 1 },
      accountSendDay: { points: 2, seconds: 86_400 },
      accountVerify: { points: 10, seconds: 1 },
      accountVerifyDay: { points: 3, seconds: 86_400 },
    },
  });
  const email = "ann@example.org";
  await patient.visitor().auth.signUp({ email, password: PASSWORD });
  const ask = () => patient.visitor().auth.resetPasswordForEmail(email);
  expect([(await ask()).error, (await ask()).error]).toEqual([null, null]);
  expect((await ask()).error).toMatchObject({ status: 429, code: "over_email_send_rate_limit" });
  const mail = await patient.mailTo(email, 2);
  const guess = (token: string) => patient.visitor().auth.verifyOtp({ email, token, type: "recovery" });
  for (let i = 0; i < 3; i++) await guess("x");
  expect((await guess(codeIn(mail))).error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  const token_hash = linkIn(mail).searchParams.get("token") ?? "";
  const { data } = await patient.visitor().auth.verifyOtp({ token_hash, type: "recovery" });
  expect(data.user?.email).toBe(email);
  await patient.close();
});

test("mails per address are limited, also for unknown ones, and the response says for how long", async () => {
  for (const email of [(await person()).email, "nobody-else@example.org"]) {
    const ask = () => testServer.request("POST", "/recover", { body: { email } });
    for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(200);
    const { status, body, headers } = await ask();
    expect({ status, code: body.error_code }).toEqual({ status: 429, code: "over_email_send_rate_limit" });
    expect(body.msg).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
});

test("changing the password may require a mailed code if the session is old", async () => {
  const strict = await openAuth({ reauthenticateForPassword: true });
  const browser = strict.visitor();
  const email = "ann@example.org";
  await browser.auth.signUp({ email, password: PASSWORD });
  await strict.query("update auth.sessions set created_at = now() - interval '25 h'");
  const password = `${PASSWORD}2`;
  expect((await browser.auth.updateUser({ password })).error).toMatchObject({
    status: 400,
    code: "reauthentication_needed",
  });
  expect((await browser.auth.reauthenticate()).error).toBe(null);
  const nonce = codeIn(await strict.mailTo(email));
  expect((await browser.auth.updateUser({ password, nonce: "1" })).error?.code).toBe(
    "reauthentication_not_valid",
  );
  expect((await browser.auth.updateUser({ password, nonce })).error).toBe(null);
  await strict.query("update backend.rate_limits set points = 50 where key like 'accountVerifyDay:%'");
  const again = await browser.auth.updateUser({ password: `${PASSWORD}3`, nonce });
  expect(again.error?.code).toBe("over_request_rate_limit");
  await strict.close();
});

test("changing the password may require the current one, except after signing in by mail", async () => {
  const strict = await openAuth({ requireCurrentPassword: true });
  const browser = strict.visitor();
  const email = "ann@example.org";
  await browser.auth.signUp({ email, password: PASSWORD });
  const change = (current_password?: string, password = `${PASSWORD}2`) =>
    browser.auth.updateUser({ password, ...(current_password && { current_password }) });
  expect((await change()).error).toMatchObject({ status: 400, code: "current_password_required" });
  expect((await change("wrong")).error).toMatchObject({ status: 400, code: "current_password_invalid" });
  expect((await change(PASSWORD)).error).toBe(null);
  await browser.auth.resetPasswordForEmail(email);
  await browser.auth.verifyOtp({ email, token: codeIn(await strict.mailTo(email)), type: "recovery" });
  expect((await change(undefined, `${PASSWORD}3`)).error).toBe(null);
  await strict.close();
});
