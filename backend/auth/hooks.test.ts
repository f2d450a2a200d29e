import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { type HookServer, openHookServer } from "#tests/helpers/auth/hook-server.ts";
import { askForToken, joinPerson, letIn, registerApplication } from "#tests/helpers/oauth/applications.ts";
import { retryUntilPassing } from "#tests/helpers/retry.ts";

type HookPayload = {
  user_id: string;
  valid: boolean;
  claims: Record<string, unknown>;
  user: Record<string, unknown>;
};

const asPayload = (told: Record<string, unknown>) => told as HookPayload;
const account = (email: string) => ({ email, password: PASSWORD });
const fastTimes = { functionMs: 2_000, httpMs: 1_500, pauseMs: 10 };

let server: HookServer;
const calls = { busy: 0, password: {} as Record<string, unknown>, factor: {} as Record<string, unknown> };

beforeAll(async () => {
  server = await openHookServer({
    "/claims": (told) => ({ claims: { ...asPayload(told).claims, tier: "gold", role: "authenticated" } }),
    "/password": () => calls.password,
    "/factor": () => calls.factor,
    "/before": (told) =>
      String(asPayload(told).user.email).endsWith("@bad.example")
        ? { error: { http_code: 403, message: "Please use another address." } }
        : {},
    "/after": () => ({}),
    "/message": () => ({}),
    "/hangs": () => undefined,
    "/endless": (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on("drain", more);
      more();
    },
    "/busy": (_, response) => {
      calls.busy++;
      if (calls.busy < 3) return void response.writeHead(429, { "retry-after": "0" }).end();
      return { claims: {} };
    },
    "/down": (_, response) => void response.writeHead(503).end(),
    "/html": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    "/thin": () => ({ claims: { sub: "somebody", exp: "soon" } }),
    "/required": (told) => {
      const { iss, aud, exp, iat, sub, role, aal, session_id, email, phone, is_anonymous } =
        asPayload(told).claims;
      return { claims: { iss, aud, exp, iat, sub, role, aal, session_id, email, phone, is_anonymous } };
    },
    "/none": () => ({ nothing: true }),
    "/other": (told) => ({ claims: { ...asPayload(told).claims, session_id: "another" } }),
    "/forever": (told) => ({
      claims: { ...asPayload(told).claims, exp: Math.floor(Date.now() / 1000) + 1e7 },
    }),
    "/fat": (told) => ({ claims: { ...asPayload(told).claims, padding: "x".repeat(5_000) } }),
    "/away": (_, response) => void response.writeHead(307, { location: "/claims" }).end(),
  });
});
afterAll(() => server.close());

describe("custom access tokens", () => {
  test("carry the hook's claims from sign-in on, and end with their session", async () => {
    const own = await openAuth({ hooks: { accessToken: server.at("/claims") } });
    const { auth } = own.visitor();
    const { data } = await auth.signUp(account("ann@example.org"));
    const claims = decodeJwt(data.session?.access_token ?? "");
    expect(claims).toMatchObject({ tier: "gold", sub: data.user?.id });
    expect(server.heard.at(-1)?.told).toMatchObject({
      metadata: { name: "customize-access-token", uuid: expect.any(String), time: expect.any(String) },
      user_id: data.user?.id,
      authentication_method: "password",
      claims: { email: "ann@example.org", aal: "aal1", session_id: claims.session_id },
    });
    await auth.refreshSession();
    expect(server.heard.at(-1)?.told).toMatchObject({ authentication_method: "token_refresh" });
    const token = (await auth.getSession()).data.session?.access_token ?? "";
    expect((await own.request("GET", "/user", { token })).status).toBe(200);
    await auth.signOut();
    expect((await own.request("GET", "/user", { token })).body.error_code).toBe("session_not_found");
    await own.close();
  });

  test.each([
    [
      "/thin",
      500,
      /^output claims do not conform to the expected schema: \n- \(root\): aud is required\n- exp: Invalid type. Expected: integer, given: string/,
    ],
    ["/none", 500, "output claims field is missing"],
    ["/other", 500, "output claims must keep session_id as it is"],
    ["/forever", 500, "output claims must let the token expire within 7 days"],
    ["/fat", 422, "Payload size exceeded size limit of 4500 bytes"],
    ["/hangs", 422, "Failed to reach hook within maximum time of 1.500000 seconds"],
    ["/endless", 422, "Payload size exceeded size limit of 204800 bytes"],
    ["/down", 500, "Service currently unavailable due to hook"],
    ["/html", 400, "Invalid JSON response. Received content-type: text/html"],
    ["/away", 422, "Failed to reach hook after maximum retries"],
  ])("are not issued if the hook's response is invalid: %s", async (path, status, message) => {
    const own = await openAuth({ hooks: { accessToken: server.at(path) }, hookTimes: fastTimes });
    const { error, data } = await own.visitor().auth.signUp(account("ann@example.org"));
    expect(data.session).toBe(null);
    expect(error?.status).toBe(status);
    if (typeof message === "string") expect(error?.message).toBe(message);
    else expect(error?.message).toMatch(message);
    expect(await own.query("select from auth.sessions")).toEqual([]);
    await own.close();
  });

  test("name the application they are for, also if the hook keeps only what it has to", async () => {
    const own = await openAuth({ oauthServer: true, hooks: { accessToken: server.at("/required") } });
    const application = await registerApplication(own);
    const { browser, token } = await joinPerson(own);
    const tokens = await letIn(own, application, browser);
    const named = { aal: "aal1", client_id: application.id };
    expect(decodeJwt(tokens.access_token)).toMatchObject(named);
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const { body } = await askForToken(own, application, fields);
    expect(decodeJwt(String(body.access_token))).toMatchObject(named);
    expect(decodeJwt(token)).not.toHaveProperty("client_id");
    await own.close();
  });

  test("are requested again if the hook is busy and sends Retry-After, three times at most", async () => {
    const own = await openAuth({ hooks: { accessToken: server.at("/busy") }, hookTimes: fastTimes });
    const { error } = await own.visitor().auth.signUp(account("ann@example.org"));
    expect(calls.busy).toBe(3);
    expect(error?.message).toMatch(/aud is required/);
    await own.close();
  });

  test("require a reachable hook", async () => {
    const gone = { url: "http://127.0.0.1:1/", keys: [server.key] };
    const own = await openAuth({ hooks: { accessToken: gone }, hookTimes: fastTimes });
    const { error } = await own.visitor().auth.signUp(account("ann@example.org"));
    expect(error).toMatchObject({ status: 422, code: "hook_timeout_after_retry" });
    expect(own.logged.join()).toContain("the hook customize-access-token failed");
    await own.close();
  });
});

describe("the request to a hook", () => {
  test("is signed with every key, and cannot be forged, altered or replayed", async () => {
    const spare = Buffer.alloc(32, 7).toString("base64");
    const hook = { ...server.at("/claims"), keys: [spare, server.key] };
    const own = await openAuth({ hooks: { accessToken: hook } });
    await own.visitor().auth.signUp(account("ann@example.org"));
    const { headers, body } = server.heard.at(-1) as HookServer["heard"][number];
    const sent = headers as Record<string, string>;
    expect(new Webhook(spare).verify(body, sent)).toBeTruthy();
    expect(() => new Webhook(Buffer.alloc(32, 8).toString("base64")).verify(body, sent)).toThrow();
    expect(() => new Webhook(spare).verify(`${body} `, sent)).toThrow();
    const old = { ...sent, "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 600) };
    expect(() => new Webhook(spare).verify(body, old)).toThrow();
    const unsigned = await fetch(hook.url, { method: "POST", body });
    expect(unsigned.status).toBe(401);
    await own.close();
  });
});

describe("password attempts", () => {
  test("are reported, right or wrong, and the hook may refuse them and end sessions", async () => {
    const own = await openAuth({ hooks: { passwordAttempt: server.at("/password") } });
    const { auth } = own.visitor();
    const { data } = await auth.signUp(account("bea@example.org"));
    calls.password = { decision: "continue" };
    expect(
      (await auth.signInWithPassword({ ...account("bea@example.org"), password: "wrong" })).error,
    ).toMatchObject({
      code: "invalid_credentials",
      message: "Invalid login credentials",
    });
    expect(server.heard.at(-1)?.told).toMatchObject({ user_id: data.user?.id, valid: false });
    const { data: signedIn } = await auth.signInWithPassword(account("bea@example.org"));
    expect(server.heard.at(-1)?.told).toMatchObject({ valid: true });
    const token = signedIn.session?.access_token ?? "";
    calls.password = { decision: "reject", message: "Locked for an hour.", should_logout_user: true };
    expect((await own.visitor().auth.signInWithPassword(account("bea@example.org"))).error).toMatchObject({
      status: 400,
      code: "invalid_credentials",
      message: "Locked for an hour.",
    });
    expect((await own.request("GET", "/user", { token })).body.error_code).toBe("session_not_found");
    const heard = server.heard.length;
    expect((await auth.signInWithPassword(account("nobody@example.org"))).error?.code).toBe(
      "invalid_credentials",
    );
    expect(server.heard).toHaveLength(heard);
    await own.close();
  });
});

describe("second factors", () => {
  test("are reported, right or wrong, and a refusal ends every session", async () => {
    const own = await openAuth({ hooks: { factorAttempt: server.at("/factor") } });
    const { auth } = own.visitor();
    const { data } = await auth.signUp(account("fay@example.org"));
    const factor = (await auth.mfa.enroll({ factorType: "totp" })).data;
    if (factor?.type !== "totp") throw new Error("no factor");
    const { id: factorId } = factor;
    const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate();
    const wrong = code === "000000" ? "111111" : "000000";
    calls.factor = {};
    expect((await auth.mfa.challengeAndVerify({ factorId, code: wrong })).error?.code).toBe(
      "mfa_verification_failed",
    );
    const told = { user_id: data.user?.id, factor_id: factorId, factor_type: "totp" };
    expect(server.heard.at(-1)?.told).toMatchObject({ ...told, valid: false });
    calls.factor = { decision: "reject" };
    expect((await auth.mfa.challengeAndVerify({ factorId, code })).error).toMatchObject({
      status: 403,
      code: "mfa_verification_rejected",
      message: "Further MFA verification attempts will be rejected.",
    });
    expect(server.heard.at(-1)?.told).toMatchObject({ ...told, valid: true });
    expect(await own.query("select from auth.sessions")).toEqual([]);
    await own.close();
  });
});

describe("new accounts", () => {
  test("are reported before and after creation, and the hook may refuse one with its own message", async () => {
    const own = await openAuth({
      hooks: { beforeUserCreated: server.at("/before"), afterUserCreated: server.at("/after") },
    });
    const { auth } = own.visitor();
    expect((await auth.signUp(account("eve@bad.example"))).error).toMatchObject({
      status: 403,
      message: "Please use another address.",
    });
    expect(await own.query("select from auth.users where email = 'eve@bad.example'")).toEqual([]);
    const { data } = await auth.signUp({ ...account("cat@example.org"), options: { data: { name: "Cat" } } });
    const before = server.heard.findLast(({ path }) => path === "/before");
    expect(before?.told.user).toMatchObject({
      id: data.user?.id,
      email: "cat@example.org",
      user_metadata: { name: "Cat" },
    });
    const toldAfter = () => server.heard.findLast(({ path }) => path === "/after")?.told.user;
    await retryUntilPassing(() =>
      expect(toldAfter()).toMatchObject({ id: data.user?.id, identities: [{ provider: "email" }] }),
    );
    // For accounts that an operator creates, only the hook after the commit runs.
    const made = await own.server.auth.admin.createUser({ email: "dan@bad.example" });
    expect(made.error).toBe(null);
    await retryUntilPassing(() => expect(toldAfter()).toMatchObject({ id: made.data.user?.id }));
    await own.close();
  });

  test("a refused address gets the same response with or without an account, and no code creates one", async () => {
    const own = await openAuth({
      mailerAutoconfirm: false,
      hooks: { beforeUserCreated: server.at("/before") },
    });
    await own.server.auth.admin.createUser({ ...account("old@bad.example"), email_confirm: true });
    const { auth } = own.visitor();
    for (const email of ["old@bad.example", "new@bad.example"]) {
      expect((await auth.signUp(account(email))).error?.message).toBe("Please use another address.");
      expect((await auth.signInWithOtp({ email })).error).toBe(null);
    }
    await own.mailTo("old@bad.example");
    expect(await own.query("select from auth.users where email = 'new@bad.example'")).toEqual([]);
    await own.close();
  });
});

describe("database functions", () => {
  let own: AuthTestServer;
  const hooks = { accessToken: { sqlName: `"hooks"."claims"` } };

  beforeAll(async () => {
    own = await openAuth({ hooks, hookTimes: { ...fastTimes, functionMs: 300 } });
    await own.query("create schema hooks; grant usage on schema hooks to supabase_auth_admin");
  });
  afterAll(() => own.close());

  async function answerWith(body: string): Promise<void> {
    await own.query(`create or replace function hooks.claims(event jsonb) returns jsonb language plpgsql as
      $$ begin ${body} end $$`);
  }

  test("are called in the service's own role, and may add claims", async () => {
    await answerWith(`return jsonb_set(event, '{claims,by}', to_jsonb(current_user::text));`);
    const { data } = await own.visitor().auth.signUp(account("ann@example.org"));
    expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ by: "supabase_auth_admin" });
  });

  test.each([
    [
      "perform pg_sleep(60); return event;",
      422,
      "Failed to reach hook within maximum time of 0.300000 seconds",
    ],
    [
      "return jsonb_build_object('claims', repeat('x', 1000000));",
      422,
      "Payload size exceeded size limit of 204800 bytes",
    ],
    ["raise exception 'a secret of the operator';", 500, "Error running hook URI: hooks.claims"],
    [`return '{"error": {"http_code": 418, "message": "Not today."}}';`, 418, "Not today."],
    [`return '{"error": {"http_code": 200, "message": "Not today."}}';`, 500, "Not today."],
    ["return null;", 500, "output claims field is missing"],
  ])("that fail prevent the sign-in: %s", async (body, status, message) => {
    await answerWith(body);
    const { data, error } = await own.visitor().auth.signInWithPassword(account("ann@example.org"));
    expect(data.session).toBe(null);
    expect(error).toMatchObject({ status, message });
  });

  test("that fail at a refresh do not spend its token", async () => {
    await answerWith("return event;");
    const { auth } = own.visitor();
    const { data } = await auth.signInWithPassword(account("ann@example.org"));
    const body = { refresh_token: data.session?.refresh_token };
    const refresh = () => own.request("POST", "/token?grant_type=refresh_token", { body });
    await answerWith(`return '{"error": {"http_code": 403, "message": "Not today."}}';`);
    expect((await refresh()).status).toBe(403);
    await own.query("update auth.sessions set refreshed_at = refreshed_at - interval '11 s'");
    await answerWith("return event;");
    expect((await refresh()).status).toBe(200);
  });

  test("without the privilege to execute are refused", async () => {
    await answerWith("return event;");
    await own.query("revoke execute on function hooks.claims from public");
    const { error } = await own.visitor().auth.signInWithPassword(account("ann@example.org"));
    expect(error?.message).toBe("Error running hook URI: hooks.claims");
  });
});

test("the hooks that send messages learn the address of who caused one", async () => {
  const own = await openAuth({
    mailerAutoconfirm: false,
    phoneEnabled: true,
    addressHeader: "x-real-ip",
    hooks: { sendEmail: server.at("/message"), sendSms: server.at("/message") },
  });
  const headers = { "x-real-ip": "192.0.2.44" };
  const signUp = (body: object) =>
    own.request("POST", "/signup", { headers, body: { password: PASSWORD, ...body } });
  await signUp({ email: "mia@example.org" });
  await signUp({ phone: "15550177" });
  const causes = await retryUntilPassing(async () => {
    const found = server.heard.filter(({ path }) => path === "/message").map(({ told }) => told.metadata);
    if (found.length < 2) throw new Error(`${found.length} messages`);
    return found;
  });
  // A mail is sent after the response, so either may come first.
  expect(causes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "send-email", ip_address: "192.0.2.44" }),
      expect.objectContaining({ name: "send-sms", ip_address: "192.0.2.44" }),
    ]),
  );
  await own.close();
});
