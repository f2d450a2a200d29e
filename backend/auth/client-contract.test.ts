import { AuthApiError, AuthWeakPasswordError, createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { type AuthTestServer, codeIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth();
});
afterAll(() => testServer.close());

/** A client whose requests are answered here, not by the service. */
function clientOver(answer: unknown, status = 200) {
  const requests: { url: string; body: Record<string, unknown> }[] = [];
  const fetchHere: typeof fetch = async (input, init) => {
    requests.push({ url: String(input), body: JSON.parse(String(init?.body ?? "{}")) });
    return new Response(JSON.stringify(answer), { status, headers: { "content-type": "application/json" } });
  };
  const auth = { persistSession: false, autoRefreshToken: false };
  return { requests, ...createClient("http://backend.test", "key", { auth, global: { fetch: fetchHere } }) };
}

describe("errors of the official client itself", () => {
  const MISSING = "You must provide either an email or phone number and a password";

  test("a sign-up or sign-in without address or password is never sent", async () => {
    const { auth } = testServer.visitor();
    const noAddress = { password: PASSWORD } as never;
    expect((await auth.signUp({} as never)).error?.message).toBe(MISSING);
    expect((await auth.signUp(noAddress)).error?.message).toBe(MISSING);
    expect((await auth.signInWithPassword(noAddress)).error?.message).toBe(MISSING);
  });

  test("nothing can be changed without a session", async () => {
    const { error } = await testServer.visitor().auth.updateUser({ data: {} });
    expect(error?.message).toBe("Auth session missing!");
  });

  test("a malformed token has an invalid structure, and an old one has expired", async () => {
    const { auth } = testServer.visitor();
    expect((await auth.getClaims("a.b")).error?.message).toBe("Invalid JWT structure");
    const { data } = await auth.signUp({ email: "over@example.org", password: PASSWORD });
    const claims = decodeJwt(data.session?.access_token ?? "");
    const over = await signToken({ ...claims, exp: 1 }, "only these tests sign with this secret");
    expect((await auth.getClaims(over)).error?.message).toBe("JWT has expired");
  });

  test("a response without a session is refused", async () => {
    const { auth } = clientOver({});
    const { error } = await auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
    expect(error?.message).toBe("Auth session or user missing");
  });

  test("a phone sign-up requests a text message by default", async () => {
    const { auth, requests } = clientOver({});
    await auth.signUp({ phone: "15550100", password: PASSWORD });
    expect(requests[0]?.body).toMatchObject({ phone: "15550100", channel: "sms" });
  });

  test.each([502, 503, 504])("a gateway's %i is retryable", async (status) => {
    const { auth } = clientOver({}, status);
    const { error } = await auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
    expect(error?.name).toBe("AuthRetryableFetchError");
  });
});

describe("the service's responses to the same requests", () => {
  test("a sign-up without a password is refused", async () => {
    const answer = await testServer.request("POST", "/signup", { body: { email: "ann@example.org" } });
    expect([answer.status, answer.body.msg]).toEqual([400, "Signup requires a valid password"]);
  });

  test("a malformed token is refused with JSON by auth/v1 and rest/v1", async () => {
    expect(await testServer.request("GET", "/user", { token: "a.b" })).toMatchObject({
      status: 403,
      body: { error_code: "bad_jwt" },
    });
    const { status, error } = await testServer
      .visitor()
      .from("items")
      .select()
      .setHeader("Authorization", "Bearer a.b");
    expect([status, error?.code]).toEqual([401, "PGRST301"]);
  });

  test("the service responds at auth/v1", async () => {
    const { status, body } = await testServer.request("GET", "/health");
    expect([status, body.name]).toEqual([200, "GoTrue"]);
  });
});

describe("how the official client interprets the service's responses", () => {
  const signUp = async (name: string) => {
    const { auth } = testServer.visitor();
    const { data } = await auth.signUp({ email: `${name}@example.org`, password: PASSWORD });
    return { auth, session: data.session, user: data.user };
  };

  test("a weak password has its own error class, with the reasons", async () => {
    const weak = await testServer.visitor().auth.signUp({ email: "wea@example.org", password: "short" });
    expect(weak.error).toBeInstanceOf(AuthWeakPasswordError);
    expect(weak.error).toMatchObject({ status: 422, code: "weak_password", reasons: ["length"] });
    const { auth } = await signUp("wes");
    for (const password of ["short", ""])
      expect((await auth.updateUser({ password })).error).toBeInstanceOf(AuthWeakPasswordError);
  });

  test.each([
    [
      "a wrong password",
      400,
      "invalid_credentials",
      { email: "cat@example.org", password: "Wrong horse 7!" },
    ],
    [
      "a number where none signs in",
      422,
      "phone_provider_disabled",
      { phone: "15550100", password: PASSWORD },
    ],
  ])("%s is an error of the service, with its code", async (_, status, code, credentials) => {
    await signUp("cat");
    const { error } = await testServer.visitor().auth.signInWithPassword(credentials as never);
    expect(error).toBeInstanceOf(AuthApiError);
    expect([error?.status, error?.code]).toEqual([status, code]);
  });

  test("a session can be set from its tokens, even if the access token has expired", async () => {
    const { session } = await signUp("dan");
    const [access_token, refresh_token] = [session?.access_token ?? "", session?.refresh_token ?? ""];
    const other = testServer.visitor().auth;
    expect((await other.setSession({ access_token, refresh_token })).data.user?.email).toBe(
      "dan@example.org",
    );
    const over = await signToken({ ...decodeJwt(access_token), exp: 1 }, "nobody checks this one");
    const renewed = await testServer.visitor().auth.setSession({ access_token: over, refresh_token });
    expect(renewed.data.user?.email).toBe("dan@example.org");
    expect(renewed.data.session?.access_token).not.toBe(over);
    const none = await testServer.visitor().auth.setSession({ access_token: over, refresh_token: "none" });
    expect(none.error).toMatchObject({ status: 400, code: "refresh_token_not_found" });
  });

  test("its public keys verify a token without a request for the user", async () => {
    const { auth, user } = await signUp("eli");
    const { data, error } = await auth.getClaims();
    expect(error).toBe(null);
    expect(data?.header).toMatchObject({ alg: "ES256", kid: "first" });
    expect(data?.claims).toMatchObject({ sub: user?.id, aal: "aal1", role: "authenticated" });
    const [head, , signature] = ((await auth.getSession()).data.session?.access_token ?? "").split(".");
    const claims = Buffer.from(JSON.stringify({ ...data?.claims, role: "service_role" })).toString(
      "base64url",
    );
    expect((await auth.getClaims(`${head}.${claims}.${signature}`)).error?.message).toBe(
      "Invalid JWT signature",
    );
  });

  test.each(["local", "others", "global"] as const)(
    "signing out of %s sessions ends those",
    async (scope) => {
      const { auth } = await signUp(`fin-${scope}`);
      const other = testServer.visitor().auth;
      await other.signInWithPassword({ email: `fin-${scope}@example.org`, password: PASSWORD });
      expect((await auth.signOut({ scope })).error).toBe(null);
      const ended = async (client: typeof auth) => (await client.getUser()).error !== null;
      expect([await ended(auth), await ended(other)]).toEqual([scope !== "others", scope !== "local"]);
    },
  );

  test("exchanging a code requires the verifier of the browser that requested it", async () => {
    const browser = testServer.visitor({ flowType: "pkce" }).auth;
    const { error } = await browser.exchangeCodeForSession("4d6b9c1e-0000-4000-8000-000000000000");
    expect(error?.name).toBe("AuthPKCECodeVerifierMissingError");
  });

  test.each(["signup", "invite", "magiclink", "recovery", "email_change", "email"] as const)(
    "an unknown code of type %s is reported as expired",
    async (type) => {
      const { auth } = testServer.visitor();
      const { error } = await auth.verifyOtp({ email: "gil@example.org", token: "000000", type });
      expect([error?.status, error?.code]).toEqual([403, "otp_expired"]);
    },
  );

  test("resending a mail does not reveal whether one is pending", async () => {
    const { auth } = testServer.visitor();
    expect((await auth.resend({ type: "signup", email: "nobody@example.org" })).error).toBe(null);
    expect((await auth.resend({ type: "sms", phone: "15550100" })).error?.code).toBe(
      "phone_provider_disabled",
    );
  });

  test("reauthentication mails a code", async () => {
    const { auth } = await signUp("hal");
    expect((await auth.reauthenticate()).error).toBe(null);
    expect(codeIn(await testServer.mailTo("hal@example.org"))).toMatch(/^\d{6}$/);
  });

  test("the admin API finds, changes, bans and removes an account", async () => {
    const { admin } = testServer.server.auth;
    const { data } = await admin.createUser({
      email: "ivy@example.org",
      email_confirm: true,
      role: "authenticated",
    });
    const id = data.user?.id ?? "";
    expect((await admin.getUserById(id)).data.user?.email).toBe("ivy@example.org");
    const moved = await admin.updateUserById(id, {
      email: "iva@example.org",
      app_metadata: { plan: "free" },
    });
    expect(moved.data.user).toMatchObject({ email: "iva@example.org", app_metadata: { plan: "free" } });
    const banned = await admin.updateUserById(id, { ban_duration: "24h" });
    expect(Date.parse(banned.data.user?.banned_until ?? "")).toBeGreaterThan(Date.now());
    expect((await admin.deleteUser(id)).error).toBe(null);
    const gone = await admin.deleteUser(id);
    expect([gone.error?.status, gone.error?.code]).toEqual([404, "user_not_found"]);
    const { error } = await testServer.visitor().auth.admin.listUsers();
    expect([error?.status, error?.code]).toEqual([403, "not_admin"]);
  });
});
