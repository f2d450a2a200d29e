import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, codeIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { cleanUp } from "./clean-up.ts";
import { defaultAuthConfig } from "./service/auth-config.ts";

const DAY = 24 * 3600;

async function visitorOf(testServer: AuthTestServer) {
  const browser = testServer.visitor();
  const { data } = await browser.auth.signInAnonymously({ options: { data: { likes: "Dough" } } });
  return { browser, user: data.user, token: data.session?.access_token ?? "" };
}

describe("an anonymous account", () => {
  let testServer: AuthTestServer;
  beforeAll(async () => {
    testServer = await openAuth({
      anonymousUsers: true,
      mailerAutoconfirm: false,
      smsAutoconfirm: true,
      phoneEnabled: true,
      accountGuard: { proofSeconds: 600, undoPage: "http://site.test/auth" },
    });
  });
  afterAll(() => testServer.close());

  test("is created without an address, and its token says it is anonymous", async () => {
    const { browser, user, token } = await visitorOf(testServer);
    expect(user).toMatchObject({
      email: "",
      phone: "",
      is_anonymous: true,
      identities: [],
      app_metadata: {},
    });
    expect(user?.user_metadata).toEqual({ likes: "Dough" });
    expect(decodeJwt(token)).toMatchObject({
      sub: user?.id,
      role: "authenticated",
      aal: "aal1",
      is_anonymous: true,
      amr: [{ method: "anonymous", timestamp: expect.any(Number) }],
    });
    expect((await browser.auth.refreshSession()).data.user?.is_anonymous).toBe(true);
    const [entry] = await testServer.query(
      `select payload -> 'traits' ->> 'provider' as provider from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 and payload ->> 'action' = 'user_signedup'`,
      [user?.id],
    );
    expect(entry).toEqual({ provider: "anonymous" });
  });

  test("becomes permanent with a confirmed address: same id, same data, a working password", async () => {
    const { browser, user } = await visitorOf(testServer);
    // The session is half an hour old, but an anonymous user cannot prove anything, so no proof is required.
    await testServer.query(
      "update auth.mfa_amr_claims set updated_at = now() - interval '30 min', created_at = now() - interval '30 min'",
    );
    const asked = await browser.auth.updateUser({ email: "Ann@example.org", password: PASSWORD });
    expect(asked.error).toBe(null);
    expect(asked.data.user).toMatchObject({ id: user?.id, is_anonymous: true, new_email: "ann@example.org" });
    const stranger = testServer.visitor();
    const early = await stranger.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
    expect(early.error?.code).toBe("invalid_credentials");

    const token = codeIn(await testServer.mailTo("ann@example.org"));
    const { data, error } = await browser.auth.verifyOtp({
      email: "ann@example.org",
      token,
      type: "email_change",
    });
    expect(error).toBe(null);
    expect(data.user).toMatchObject({
      id: user?.id,
      email: "ann@example.org",
      is_anonymous: false,
      user_metadata: { likes: "Dough" },
      app_metadata: { provider: "email", providers: ["email"] },
      identities: [{ provider: "email", identity_data: { email: "ann@example.org", email_verified: true } }],
    });
    expect(decodeJwt(data.session?.access_token ?? "").is_anonymous).toBe(false);
    const again = await stranger.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
    expect(again.data.user?.id).toBe(user?.id);
  });

  test("becomes permanent with a phone number, if numbers need no confirmation", async () => {
    const { browser, user } = await visitorOf(testServer);
    const { data, error } = await browser.auth.updateUser({ phone: "+4915112345678", password: PASSWORD });
    expect(error).toBe(null);
    expect(data.user).toMatchObject({
      id: user?.id,
      phone: "4915112345678",
      is_anonymous: false,
      app_metadata: { provider: "phone", providers: ["phone"] },
    });
  });

  test("gets no password without an address, no address of another account, and no second factor", async () => {
    const { browser } = await visitorOf(testServer);
    expect((await browser.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: "validation_failed",
      message: "Updating password of an anonymous user without an email or phone is not allowed",
    });
    await testServer.server.auth.admin.createUser({ email: "bea@example.org", email_confirm: true });
    expect((await browser.auth.updateUser({ email: "bea@example.org" })).error).toMatchObject({
      code: "email_exists",
    });
    expect((await browser.auth.mfa.enroll({ factorType: "totp" })).error).toMatchObject({ status: 403 });
  });

  test("becomes permanent if a server gives it an address", async () => {
    const { user } = await visitorOf(testServer);
    const { data } = await testServer.server.auth.admin.updateUserById(user?.id ?? "", {
      email: "cay@example.org",
      email_confirm: true,
    });
    expect(data.user).toMatchObject({ is_anonymous: false, email: "cay@example.org" });
  });
});

describe("anonymous accounts", () => {
  test("are listed by /settings if enabled, and limited to 30 an hour per network", async () => {
    const testServer = await openAuth({ anonymousUsers: true, addressHeader: "x-real-ip" });
    const settings = await testServer.request("GET", "/settings");
    expect(settings.body.external).toMatchObject({ anonymous_users: true });
    const from = (address: string) =>
      testServer.request("POST", "/signup", { body: {}, headers: { "x-real-ip": address } });
    const statuses: number[] = [];
    for (let made = 0; made < 31; made++) statuses.push((await from("192.0.2.1")).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    expect((await from("192.0.2.2")).status).toBe(200);
    await testServer.close();
  });

  test("are refused if sign-ups or anonymous accounts are disabled", async () => {
    const closed = await openAuth({ anonymousUsers: true, disableSignup: true });
    expect((await closed.visitor().auth.signInAnonymously()).error?.code).toBe("signup_disabled");
    await closed.close();
    const open = await openAuth();
    const { error } = await open.visitor().auth.signInAnonymously();
    expect(error).toMatchObject({ status: 422, code: "anonymous_provider_disabled" });
    await open.close();
  });

  test("are removed when unused for the configured time", async () => {
    const testServer = await openAuth({ anonymousUsers: true });
    const made: Record<string, string> = {};
    for (const name of ["unused", "fresh", "refreshed", "turned full", "soft-deleted"]) {
      made[name] = (await visitorOf(testServer)).user?.id ?? "";
    }
    const old = ["unused", "refreshed", "turned full", "soft-deleted"].map((name) => made[name]);
    await testServer.query(
      `with aged as (update auth.sessions set created_at = now() - interval '31 days' where user_id = any ($1::uuid[]))
       update auth.users set created_at = now() - interval '31 days', last_sign_in_at = now() - interval '31 days'
       where id = any ($1::uuid[])`,
      [old],
    );
    await testServer.query(
      "update auth.sessions set refreshed_at = (now() - interval '2 days') at time zone 'utc' where user_id = $1",
      [made.refreshed],
    );
    await testServer.query(
      "update auth.users set is_anonymous = false, email = 'dia@example.org' where id = $1",
      [made["turned full"]],
    );
    await testServer.server.auth.admin.deleteUser(made["soft-deleted"] ?? "", true);
    const query = async (text: string, values: (string | null)[] = []) =>
      (await testServer.query(text, values)) as never;
    const fail = (cause: unknown) => {
      throw cause;
    };
    await cleanUp(query, { ...defaultAuthConfig, anonymousRetention: 30 * DAY }, fail);
    const left = (await testServer.query("select id from auth.users")).map(({ id }) => id);
    const kept = ["fresh", "refreshed", "turned full", "soft-deleted"].map((name) => made[name]);
    expect(left.sort()).toEqual(kept.sort());
    await testServer.close();
  });
});
