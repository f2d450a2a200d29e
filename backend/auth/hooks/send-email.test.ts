import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { type HookServer, openHookServer } from "#tests/helpers/auth/hook-server.ts";
import { defaultAuthConfig } from "../service/auth-config.ts";

type Mail = { user: Record<string, unknown>; email_data: Record<string, string> };

const account = (email: string) => ({ email, password: PASSWORD });
const emailRedirectTo = "http://site.test/welcome";

let server: HookServer;
let own: AuthTestServer;
let refusal: object;

beforeAll(async () => {
  server = await openHookServer({
    "/mail": () => ({}),
    "/refuses": () => refusal,
    "/hangs": () => undefined,
  });
  own = await openAuth({ mailerAutoconfirm: false, hooks: { sendEmail: server.at("/mail") } });
});
afterAll(async () => {
  await own.close();
  server.close();
});

/** The hook's latest input of this type for this address. */
function told(type: string, email: string): Promise<Mail> {
  return vi.waitFor(() => {
    const all = server.heard.map((heard) => heard.told as unknown as Mail);
    const found = all.findLast(
      (mail) => mail.email_data.email_action_type === type && mail.user.email === email,
    );
    if (!found) throw new Error(`no ${type} to ${email}`);
    return found;
  });
}

const shape = (type: string) => ({
  email_action_type: type,
  token: expect.stringMatching(/^\d{6}$/),
  token_hash: expect.stringMatching(/^(pkce_)?[0-9a-f]{64}$/),
  token_new: "",
  token_hash_new: "",
  redirect_to: expect.stringMatching(/^http:\/\/site\.test/),
  site_url: "http://backend.test/auth/v1",
  old_email: "",
  old_phone: "",
  provider: "",
  factor_type: "",
});

test("the limit on mails to all recipients together does not count those of the hook", async () => {
  const limits = { ...defaultAuthConfig.limits, mailsSent: { points: 1, seconds: 3600 } };
  for (const [hooks, code] of [
    [{ sendEmail: server.at("/mail") }, undefined],
    [{}, "over_email_send_rate_limit"],
  ] as const) {
    const limited = await openAuth({ mailerAutoconfirm: false, hooks, limits });
    const send = async (email: string) => (await limited.visitor().auth.signInWithOtp({ email })).error?.code;
    expect(await send("first@example.org")).toBe(undefined);
    expect(await send("second@example.org")).toBe(code);
    await limited.close();
  }
});

test("the hook gets sign-up, recovery and magic link mails, and their codes work", async () => {
  const { auth } = own.visitor();
  const email = "ann@example.org";
  const { data } = await auth.signUp({ ...account(email), options: { emailRedirectTo } });
  const signup = await told("signup", email);
  expect(signup).toMatchObject({
    metadata: { name: "send-email", uuid: expect.any(String), time: expect.any(String) },
    user: { id: data.user?.id, email, aud: "authenticated", identities: [{ provider: "email" }] },
  });
  expect(signup.email_data).toEqual({ ...shape("signup"), redirect_to: emailRedirectTo });
  const { token = "" } = signup.email_data;
  expect((await auth.verifyOtp({ email, token, type: "signup" })).data.session?.user.email).toBe(email);

  await own.query("delete from backend.rate_limits");
  await auth.resetPasswordForEmail(email);
  const { email_data: recovery } = await told("recovery", email);
  expect(recovery).toEqual(shape("recovery"));
  const opened = await auth.verifyOtp({ token_hash: recovery.token_hash ?? "", type: "recovery" });
  expect(opened.data.session?.user.email).toBe(email);

  await own.query("delete from backend.rate_limits");
  await auth.signInWithOtp({ email });
  expect((await told("magiclink", email)).email_data).toEqual(shape("magiclink"));
  expect(own.mails).toEqual([]);
});

test("the hook gets invitations and reauthentication codes", async () => {
  await own.server.auth.admin.inviteUserByEmail("gus@example.org");
  expect((await told("invite", "gus@example.org")).email_data).toEqual(shape("invite"));
  const email = "rea@example.org";
  await own.server.auth.admin.createUser({ ...account(email), email_confirm: true });
  const { auth } = own.visitor();
  await auth.signInWithPassword(account(email));
  expect((await auth.reauthenticate()).error).toBe(null);
  expect((await told("reauthentication", email)).email_data).toEqual(shape("reauthentication"));
  expect(own.mails).toEqual([]);
});

test("the hook gets a change of address once, with a code for each mailbox, and both together confirm it", async () => {
  const email = "old@example.org";
  await own.server.auth.admin.createUser({ ...account(email), email_confirm: true });
  const { auth } = own.visitor();
  await auth.signInWithPassword(account(email));
  const before = server.heard.length;
  expect((await auth.updateUser({ email: "new@example.org" })).error).toBe(null);
  expect(server.heard).toHaveLength(before + 1);
  const { user, email_data } = await told("email_change", email);
  expect(user.new_email).toBe("new@example.org");
  expect(email_data).toEqual({
    ...shape("email_change"),
    token_new: expect.stringMatching(/^\d{6}$/),
    token_hash_new: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  // As documented by the hosted service: `token` belongs to the old mailbox, `token_hash` to the new one.
  const { token = "", token_hash = "" } = email_data;
  expect((await auth.verifyOtp({ email, token, type: "email_change" })).error).toBe(null);
  expect((await auth.verifyOtp({ token_hash, type: "email_change" })).error).toBe(null);
  expect((await auth.getUser()).data.user?.email).toBe("new@example.org");
});

test("the hook gets notices, with the change and the link to take the account back", async () => {
  const guard = { proofSeconds: 600, undoPage: "http://site.test/auth" };
  const guarded = await openAuth({ accountGuard: guard, hooks: { sendEmail: server.at("/mail") } });
  const { auth } = guarded.visitor();
  await auth.signUp(account("bob@example.org"));
  await auth.updateUser({ email: "rob@example.org" });
  const { email_data } = await told("email_changed_notification", "rob@example.org");
  expect(email_data).toMatchObject({ old_email: "bob@example.org", token: "", token_hash: "" });
  expect(email_data.confirmation_url).toMatch(/^http:\/\/site\.test\/auth#way_back=/);
  await auth.updateUser({ password: "Another horse 8 battery!" });
  expect(await told("password_changed_notification", "rob@example.org")).toBeTruthy();
  expect(guarded.mails).toEqual([]);
  await guarded.close();
});

test("a database function can be the hook", async () => {
  const inside = await openAuth({
    mailerAutoconfirm: false,
    hooks: { sendEmail: { sqlName: `"hooks"."mail"` } },
  });
  await inside.query(`create schema hooks; create table hooks.mails (told jsonb);
    grant usage on schema hooks to supabase_auth_admin; grant insert on hooks.mails to supabase_auth_admin;
    create function hooks.mail(event jsonb) returns jsonb language sql as
      $$ insert into hooks.mails values (event); select '{}'::jsonb $$`);
  await inside.visitor().auth.signUp(account("ann@example.org"));
  const mails = await vi.waitFor(async () => {
    const found = await inside.query("select told from hooks.mails");
    expect(found).toHaveLength(1);
    return found;
  });
  expect(mails[0]?.told).toMatchObject({ email_data: shape("signup"), user: { email: "ann@example.org" } });
  await inside.close();
});

test("without a queue, the hook's refusal is returned if that reveals nothing about accounts", async () => {
  refusal = { error: { http_code: 403, message: "No mails today." } };
  const alone = await openAuth({ mailerAutoconfirm: false, hooks: { sendEmail: server.at("/refuses") } });
  const { error } = await alone.server.auth.admin.inviteUserByEmail("gus@example.org");
  expect(error).toMatchObject({ status: 403, message: "No mails today." });
  // The response is the same for every address, so only the operator learns of the failure.
  expect((await alone.visitor().auth.signUp(account("ann@example.org"))).error).toBe(null);
  await vi.waitFor(() => expect(alone.logged.join()).toContain("work after a response failed"));
  await alone.close();
});

test("without a queue, a hook that hangs times out", async () => {
  const hookTimes = { functionMs: 200, httpMs: 200, pauseMs: 10 };
  const alone = await openAuth({
    hookTimes,
    mailerAutoconfirm: false,
    hooks: { sendEmail: server.at("/hangs") },
  });
  const { error } = await alone.server.auth.admin.inviteUserByEmail("gus@example.org");
  expect(error).toMatchObject({ status: 422, code: "hook_timeout" });
  await alone.close();
});
