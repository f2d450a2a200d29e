import { hash as argon2 } from "@node-rs/argon2";
import { hash as bcrypt } from "@node-rs/bcrypt";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { type AuthTestServer, makeSigningKey, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { retryUntilPassing } from "#tests/helpers/retry.ts";

let testServer: AuthTestServer;
let people = 0;

beforeAll(async () => {
  testServer = await openAuth();
});
afterAll(() => testServer.close());

async function join() {
  const email = `person${++people}@example.org`;
  const browser = testServer.visitor();
  const { data, error } = await browser.auth.signUp({ email, password: PASSWORD });
  if (error || !data.session || !data.user) throw error;
  return { email, browser, session: data.session, userId: data.user.id };
}

const refreshWith = (token: string) =>
  testServer.request("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token } });

/** Backdates the last refresh beyond the reuse interval. */
const waitOutReuse = (userId: string) =>
  testServer.query(
    "update auth.sessions set refreshed_at = refreshed_at - interval '11 s' where user_id = $1",
    [userId],
  );

describe("sign-in by password", () => {
  test.each([
    [{}, "missing email or phone", "validation_failed"],
    [{ phone: "4915112345678", password: PASSWORD }, "Phone logins are disabled", "phone_provider_disabled"],
    [
      { email: "a@b.c", phone: "49", password: PASSWORD },
      "Only an email address or phone number should be provided on login.",
      "validation_failed",
    ],
  ])("%j is refused", async (body, msg, error_code) => {
    const answer = await testServer.request("POST", "/token?grant_type=password", { body });
    expect(answer.body).toMatchObject({ msg, error_code });
  });

  test.each(["magic", "constructor", "toString", "__proto__"])(
    "an unknown grant is refused: %s",
    async (grant) => {
      const { status, body } = await testServer.request("POST", `/token?grant_type=${grant}`, { body: {} });
      expect({ status, code: body.error_code, msg: body.msg }).toEqual({
        status: 400,
        code: "invalid_credentials",
        msg: "unsupported_grant_type",
      });
    },
  );

  test("an unknown address and a wrong password get the same response", async () => {
    const { email } = await join();
    const [unknown, wrong] = await Promise.all(
      ["nobody@example.org", email].map((address) =>
        testServer.request("POST", "/token?grant_type=password", {
          body: { email: address, password: "wrong" },
        }),
      ),
    );
    expect(wrong).toMatchObject({
      status: 400,
      body: { error_code: "invalid_credentials", msg: "Invalid login credentials" },
    });
    expect(unknown?.body).toEqual(wrong?.body);
    expect([...(unknown?.headers ?? [])]).toEqual([...(wrong?.headers ?? [])]);
  });

  test("two passwords of 128 characters that differ only in the last one do not match", async () => {
    const email = "long@example.org";
    const start = `Aa1!${"x".repeat(123)}`;
    await testServer.visitor().auth.signUp({ email, password: `${start}a` });
    const wrong = await testServer.visitor().auth.signInWithPassword({ email, password: `${start}b` });
    expect(wrong.error?.code).toBe("invalid_credentials");
    expect((await testServer.visitor().auth.signInWithPassword({ email, password: `${start}a` })).error).toBe(
      null,
    );
  });

  test("an imported bcrypt hash verifies, and is replaced", async () => {
    const email = "brought@example.org";
    await testServer.server.auth.admin.createUser({
      email,
      email_confirm: true,
      password_hash: await bcrypt(PASSWORD, 4),
    });
    const wrong = await testServer.visitor().auth.signInWithPassword({ email, password: "wrong" });
    expect(wrong.error?.code).toBe("invalid_credentials");
    expect((await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error).toBe(
      null,
    );
    const [row] = await testServer.query(
      "select encrypted_password as hash from auth.users where email = $1",
      [email],
    );
    expect(row?.hash).toMatch(/^\$argon2id\$/);
    expect((await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error).toBe(
      null,
    );
  });

  test("a password matches in every Unicode normalization form, and is not a new one in another", async () => {
    const password = "Cafe\u0301 horse 7 battery!";
    const forms = [password, password.normalize("NFC")];
    for (const [n, mine] of forms.entries()) {
      const email = `forms${n}@example.org`;
      await testServer.visitor().auth.signUp({ email, password: mine });
      for (const typed of forms) {
        const browser = testServer.visitor();
        expect((await browser.auth.signInWithPassword({ email, password: typed })).error).toBe(null);
        expect((await browser.auth.updateUser({ password: typed })).error?.code).toBe("same_password");
      }
    }
    // An old hash, made of the password as typed, without normalization.
    await testServer.query(
      "update auth.users set encrypted_password = $1 where email = 'forms0@example.org'",
      [await argon2(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })],
    );
    for (const typed of forms.toReversed()) {
      const { auth } = testServer.visitor();
      expect((await auth.signInWithPassword({ email: "forms0@example.org", password: typed })).error).toBe(
        null,
      );
    }
  });

  test("the account's own address is refused as a password", async () => {
    const email = "mara.swims7@example.org";
    const { error } = await testServer.visitor().auth.signUp({ email, password: "Mara.Swims7@example.org!" });
    expect(error).toMatchObject({ status: 422, code: "weak_password" });
    const { browser, email: own } = await join();
    expect((await browser.auth.updateUser({ password: `A1!${own}` })).error?.code).toBe("weak_password");
  });

  test("the access token names the user, key, method and expiry", async () => {
    const { email, session, userId } = await join();
    const token = session.access_token;
    expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", kid: "first", typ: "JWT" });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: "http://backend.test/auth/v1",
      sub: userId,
      aud: "authenticated",
      exp: session.expires_at,
      iat: (claims.exp as number) - 3600,
      email,
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: {},
      role: "authenticated",
      aal: "aal1",
      amr: [{ method: "password", timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
    });
  });

  test("the public keys verify it, in the client too", async () => {
    const { browser, session } = await join();
    const { body, headers } = await testServer.request("GET", "/.well-known/jwks.json", {
      headers: { apikey: "" },
    });
    expect(headers.get("cache-control")).toBe("public, max-age=600");
    expect(body.keys).toEqual([expect.objectContaining({ kid: "first", alg: "ES256", kty: "EC" })]);
    expect(JSON.stringify(body)).not.toContain('"d"');
    expect((await browser.auth.getClaims(session.access_token)).data?.claims.email).toBe(session.user.email);
  });
});

describe("an unusable token", () => {
  const user = (token: string | null) => testServer.request("GET", "/user", { token });

  test("none", async () => {
    expect(await user(null)).toMatchObject({
      status: 401,
      body: { error_code: "no_authorization", msg: "This endpoint requires a valid Bearer token" },
    });
  });

  test("no token at all, the anonymous key, a forged and an expired one", async () => {
    const { session } = await join();
    const [head, body] = session.access_token.split(".");
    const claims = decodeJwt(session.access_token);
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [
      "nonsense",
      testServer.anonKey,
      `${head}.${body}.${"A".repeat(86)}`,
      `${none}.${body}.`,
      await signToken(claims, "another secret of thirty-two characters"),
      await signToken({ ...claims, exp: 1 }, "only these tests sign with this secret"),
      await signToken({ ...claims, nbf: 9_999_999_999 }, "only these tests sign with this secret"),
    ]) {
      expect(await user(token), token).toMatchObject({ status: 403, body: { error_code: "bad_jwt" } });
    }
  });

  test("that of a deleted user, a banned one, and an ended session", async () => {
    const [deleted, banned, ended] = [await join(), await join(), await join()];
    await testServer.server.auth.admin.deleteUser(deleted.userId);
    await testServer.server.auth.admin.updateUserById(banned.userId, { ban_duration: "1h" });
    await ended.browser.auth.signOut();
    const codes = [deleted, banned, ended].map(
      async ({ session }) => (await user(session.access_token)).body.error_code,
    );
    expect(await Promise.all(codes)).toEqual(["user_not_found", "user_banned", "session_not_found"]);
    expect((await banned.browser.auth.refreshSession()).error?.code).toBe("user_banned");
  });
});

describe("refreshing", () => {
  test.each(["", "nonsense", "A".repeat(56)])("%j is refused", async (token) => {
    const { status, body } = await refreshWith(token);
    expect(status).toBe(400);
    expect(body.error_code).toBe(token ? "refresh_token_not_found" : "validation_failed");
  });

  test("and signing in name user, session and count in headers, for the logs of a gateway", async () => {
    const body = { email: "header@example.org", password: PASSWORD };
    const first = await testServer.request("POST", "/signup", { body });
    const again = await testServer.request("POST", "/token?grant_type=password", { body });
    for (const [answer, count] of [
      [first, "0"],
      [again, "0"],
      [await refreshWith(String(again.body.refresh_token)), "1"],
    ] as const) {
      const { sub, session_id } = decodeJwt(String(answer.body.access_token));
      const named = ["user-id", "session-id", "refresh-token-counter"].map((name) =>
        answer.headers.get(`sb-auth-${name}`),
      );
      expect(named).toEqual([sub, session_id, count]);
    }
  });

  test("gives new tokens of the same session", async () => {
    const { browser, session } = await join();
    const { data } = await browser.auth.refreshSession();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect(decodeJwt(data.session?.access_token ?? "").session_id).toBe(
      decodeJwt(session.access_token).session_id,
    );
  });

  test("a stolen token that is used after its owner refreshed signs both out", async () => {
    const { browser, session, userId } = await join();
    const { data: owner } = await browser.auth.refreshSession();
    await waitOutReuse(userId);
    const thief = await refreshWith(session.refresh_token);
    expect(thief).toMatchObject({ status: 400, body: { error_code: "refresh_token_already_used" } });
    expect((await refreshWith(owner.session?.refresh_token ?? "")).body.error_code).toBe(
      "refresh_token_not_found",
    );
    expect(await testServer.query("select from auth.sessions where user_id = $1", [userId])).toEqual([]);
  });

  test("as in the hosted service, the token before yields the current one however late, but no older one", async () => {
    const own = await openAuth({ previousTokenLasts: true, reuseInterval: 0 });
    const { auth } = own.visitor();
    const first = (await auth.signUp({ email: "late@example.org", password: PASSWORD })).data.session;
    const second = (await auth.refreshSession()).data.session;
    const send = (token = "") =>
      own.request("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token } });
    await own.query("update auth.sessions set refreshed_at = refreshed_at - interval '30 days'");
    await own.query("update auth.mfa_amr_claims set updated_at = updated_at - interval '31 days'");
    for (let late = 0; late < 2; late++)
      expect((await send(first?.refresh_token)).body.refresh_token).toBe(second?.refresh_token);
    const third = (await send(second?.refresh_token)).body.refresh_token as string;
    expect((await send(first?.refresh_token)).body.error_code).toBe("refresh_token_already_used");
    expect((await send(third)).body.error_code).toBe("refresh_token_not_found");
    await own.close();
  });

  test("a token two refreshes old ends the session at once", async () => {
    const { browser, session } = await join();
    await browser.auth.refreshSession();
    await browser.auth.refreshSession();
    expect((await refreshWith(session.refresh_token)).body.error_code).toBe("refresh_token_already_used");
    expect((await browser.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  test("a token newer than a restored database knows continues the session, and is spent by that", async () => {
    const { browser, session, userId } = await join();
    for (let count = 0; count < 3; count++) await browser.auth.refreshSession();
    const newest = (await browser.auth.getSession()).data.session?.refresh_token ?? "";
    await testServer.query("update auth.sessions set refresh_token_counter = 1 where user_id = $1", [userId]);
    await waitOutReuse(userId);
    const answer = await refreshWith(newest);
    expect([answer.status, answer.headers.get("sb-auth-refresh-token-counter")]).toEqual([200, "4"]);
    expect((await refreshWith(newest)).body.refresh_token).toBe(answer.body.refresh_token);
    expect((await refreshWith(session.refresh_token)).body.error_code).toBe("refresh_token_already_used");
  });

  test("a refresh that waited for a lock sees the other's changes", async () => {
    const { session, userId } = await join();
    await testServer.query("begin");
    await testServer.query(
      "update auth.sessions set refresh_token_counter = 2, refreshed_at = now() where user_id = $1",
      [userId],
    );
    const late = refreshWith(session.refresh_token);
    await retryUntilPassing(async () => {
      const waiting = await testServer.query("select from pg_locks where not granted");
      if (waiting.length === 0) throw new Error("nobody waits yet");
    });
    await testServer.query("commit");
    expect((await late).body.error_code).toBe("refresh_token_already_used");
  });

  test("twenty concurrent refreshes of one token keep one session, yield one token and are recorded once", async () => {
    const { session, userId } = await join();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refreshWith(session.refresh_token)));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(await testServer.query("select from auth.sessions where user_id = $1", [userId])).toHaveLength(1);
    const told = `select from auth.audit_log_entries
      where payload ->> 'action' = 'token_refreshed' and payload ->> 'actor_id' = $1`;
    expect(await testServer.query(told, [userId])).toHaveLength(1);
    expect((await refreshWith(answers[0]?.body.refresh_token as string)).status).toBe(200);
  });
});

describe("signing out", () => {
  async function onTwoDevices() {
    const { email, browser: here, userId } = await join();
    const there = testServer.visitor();
    await there.auth.signInWithPassword({ email, password: PASSWORD });
    return { here, there, userId };
  }
  const tokenOf = async (browser: Awaited<ReturnType<typeof onTwoDevices>>["here"]) =>
    (await browser.auth.getSession()).data.session?.refresh_token ?? "";

  test.each([
    ["global", 400, 400],
    ["local", 400, 200],
    ["others", 200, 400],
  ] as const)("%s", async (scope, hereAfter, thereAfter) => {
    const { here, there } = await onTwoDevices();
    const tokens = [await tokenOf(here), await tokenOf(there)] as const;
    expect((await here.auth.signOut({ scope })).error).toBe(null);
    expect((await refreshWith(tokens[0])).status).toBe(hereAfter);
    expect((await refreshWith(tokens[1])).status).toBe(thereAfter);
  });

  test("an unknown scope is refused", async () => {
    const { session } = await join();
    const { status, body } = await testServer.request("POST", "/logout?scope=all", {
      token: session.access_token,
    });
    expect({ status, code: body.error_code }).toEqual({ status: 400, code: "validation_failed" });
  });
});

describe("changing one's own user", () => {
  test("the same password again, a weak one and app_metadata are refused", async () => {
    const { browser, session } = await join();
    expect((await browser.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: "same_password",
    });
    expect((await browser.auth.updateUser({ password: "short" })).error).toMatchObject({
      status: 422,
      code: "weak_password",
    });
    const answer = await testServer.request("PUT", "/user", {
      token: session.access_token,
      body: { app_metadata: { role: "admin" } },
    });
    expect(answer).toMatchObject({ status: 403, body: { error_code: "not_admin" } });
  });

  test("changes nothing if one of several changes is refused", async () => {
    const taken = await join();
    const { email, browser } = await join();
    const wishes = { email: taken.email, password: `${PASSWORD}2`, data: { a: 1 } };
    expect((await browser.auth.updateUser(wishes)).error).toMatchObject({
      status: 422,
      code: "email_exists",
    });
    expect((await browser.auth.getUser()).data.user?.user_metadata).toEqual({});
    // A new user, whose limit of one change of address a minute is not used up.
    const other = await join();
    const big = { b: "x".repeat(5_000) };
    await other.browser.auth.updateUser({ data: { a: "x".repeat(5_000) } });
    const tooMuch = { email: `moved-${other.email}`, password: `${PASSWORD}2`, data: big };
    expect((await other.browser.auth.updateUser(tooMuch)).error?.code).toBe("validation_failed");
    for (const address of [email, other.email]) {
      const signedIn = await testServer
        .visitor()
        .auth.signInWithPassword({ email: address, password: PASSWORD });
      expect(signedIn.error).toBe(null);
    }
  });

  test("ten new passwords in five minutes are the limit", async () => {
    const { session } = await join();
    const change = (n: number) =>
      testServer.request("PUT", "/user", {
        token: session.access_token,
        body: { password: `${PASSWORD}${n}` },
      });
    for (let n = 0; n < 10; n++) expect((await change(n)).status).toBe(200);
    expect((await change(10)).body.error_code).toBe("over_request_rate_limit");
  });

  test("metadata cannot grow beyond 8 kB, even member by member", async () => {
    const { browser } = await join();
    expect((await browser.auth.updateUser({ data: { a: "x".repeat(5_000) } })).error).toBe(null);
    const { error } = await browser.auth.updateUser({ data: { b: "x".repeat(5_000) } });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
    expect((await browser.auth.updateUser({ data: { a: null, b: 1 } })).data.user?.user_metadata).toEqual({
      b: 1,
    });
  });

  test("a common password is refused, in any disguise", async () => {
    const { browser } = await join();
    const { error } = await browser.auth.updateUser({ password: "P@ssw0rd2026!" });
    expect(error).toMatchObject({ status: 422, code: "weak_password", reasons: ["pwned"] });
  });

  test("a new password replaces the old one and ends the other sessions", async () => {
    const { email, browser } = await join();
    const other = testServer.visitor();
    await other.auth.signInWithPassword({ email, password: PASSWORD });
    const changed = await browser.auth.updateUser({ password: `${PASSWORD}2`, data: { a: 1, b: 2 } });
    expect(changed.error).toBe(null);
    await browser.auth.updateUser({ data: { b: null, c: { kept: null } } });
    expect((await browser.auth.getUser()).data.user?.user_metadata).toEqual({ a: 1, c: { kept: null } });
    expect((await other.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    const sign = (password: string) => testServer.visitor().auth.signInWithPassword({ email, password });
    expect((await sign(PASSWORD)).error?.code).toBe("invalid_credentials");
    expect((await sign(`${PASSWORD}2`)).error).toBe(null);
  });
});

test("the client reports each event", async () => {
  const { email, browser } = await join();
  const events: string[] = [];
  browser.auth.onAuthStateChange((event) => void events.push(event));
  await browser.auth.refreshSession();
  await browser.auth.updateUser({ data: { a: 1 } });
  await browser.auth.signOut();
  await browser.auth.signInWithPassword({ email, password: PASSWORD });
  expect(events).toEqual(["INITIAL_SESSION", "TOKEN_REFRESHED", "USER_UPDATED", "SIGNED_OUT", "SIGNED_IN"]);
});

test("a user's token is accepted by rest/v1, also while another key is waiting to sign", async () => {
  const waiting = { ...(await makeSigningKey("next")), key_ops: ["verify"] };
  const other = await openAuth({}, [await makeSigningKey("now"), waiting]);
  const browser = other.visitor();
  const { data } = await browser.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const { error } = await browser
    .from("profiles")
    .update({ username: "TigerTrader" })
    .eq("id", data.user?.id)
    .select()
    .single();
  expect(error).toBe(null);
  const { body } = await other.request("GET", "/.well-known/jwks.json");
  expect((body.keys as { kid: string }[]).map(({ kid }) => kid)).toEqual(["now", "next"]);
  await other.close();
});
