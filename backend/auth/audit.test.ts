import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Answer,
  type AuthTestServer,
  codeIn,
  linkIn,
  openAuth,
  PASSWORD,
} from "#tests/helpers/auth/auth-server.ts";
import { retryUntilPassing } from "#tests/helpers/retry.ts";

type Entry = {
  id: string;
  created_at: string;
  ip_address: string;
  payload: Record<string, unknown> & { action: string };
};

let testServer: AuthTestServer;
const addressHeader = "x-visitor";
const NOBODY = "00000000-0000-0000-0000-000000000000";

beforeAll(async () => {
  const { defaultAuthConfig } = await import("./service/auth-config.ts");
  const limits = {
    ...defaultAuthConfig.limits,
    accountSend: { points: 9, seconds: 60 },
    failureEntries: { points: 5, seconds: 86_400 },
  };
  testServer = await openAuth({ addressHeader, limits, secureEmailChange: false });
});
afterAll(() => testServer.close());

const ask = (search: string, token: string | null = testServer.serviceRoleKey) =>
  testServer.request("GET", `/admin/audit${search}`, { token });
const entriesOf = ({ body }: Answer) => body as unknown as Entry[];
/** The user's actions, oldest first. */
const actsOf = async (author: string) =>
  entriesOf(await ask(`?query=author:${author}&per_page=100`))
    .map(({ payload }) => payload.action)
    .toReversed();

async function join(name: string) {
  const browser = testServer.visitor();
  const email = `${name}@example.org`;
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  return { browser, email, id: data.user?.id as string, token: data.session?.access_token as string };
}

test("only a server can read it", async () => {
  const { token } = await join("curious");
  expect((await ask("", token)).body).toMatchObject({ error_code: "not_admin" });
  expect((await ask("", null)).body).toMatchObject({ error_code: "no_authorization" });
  expect((await testServer.visitor().from("audit_log_entries").select()).error).not.toBe(null);
});

test.each(["nobody", "password:x", "constructor:x", "author"])(
  "the search %s without a valid scope is refused",
  async (search) => {
    const { status, body } = await ask(`?query=${search}`);
    expect([status, body.msg]).toEqual([400, `Invalid query scope: ${search}`]);
  },
);

test("each action of a user is recorded with actor, kind and address", async () => {
  const { browser, email, id } = await join("mara");
  await browser.auth.refreshSession();
  await browser.auth.updateUser({ data: { full_name: "Mara" } });
  await browser.auth.updateUser({ password: `${PASSWORD}2` });
  const next = "mara2@example.org";
  await browser.auth.updateUser({ email: next });
  const change = codeIn(await testServer.mailTo(next));
  await browser.auth.verifyOtp({ email: next, token: change, type: "email_change" });
  await browser.auth.resetPasswordForEmail(next);
  const recovery = codeIn(await testServer.mailTo(next, 2));
  await browser.auth.verifyOtp({ email: next, token: recovery, type: "recovery" });
  await browser.auth.signOut();
  await testServer.request("POST", "/token?grant_type=password", {
    body: { email: "mara2@example.org", password: `${PASSWORD}2` },
    headers: { [addressHeader]: "192.0.2.7" },
  });
  expect(await actsOf("mara")).toEqual([
    "user_signedup",
    "login",
    "token_refreshed",
    "user_modified",
    "user_updated_password",
    "user_modified",
    "user_modified",
    "login",
    "user_recovery_requested",
    "login",
    "logout",
    "login",
  ]);
  const [newest, ...rest] = entriesOf(await ask("?query=author:mara&per_page=100"));
  expect(newest).toEqual({
    id: expect.any(String),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    ip_address: "192.0.2.7",
    payload: {
      action: "login",
      actor_id: id,
      actor_username: "mara2@example.org",
      actor_name: "Mara",
      actor_via_sso: false,
      log_type: "account",
      traits: { provider: "email" },
    },
  });
  expect(rest.at(-1)?.payload).toMatchObject({ actor_username: email, log_type: "team" });
});

test("failed sign-ins are recorded with method and address, up to a global daily limit", async () => {
  const { browser, email, id, token } = await join("guessed");
  const headers = { [addressHeader]: "203.0.113.77" };
  const guess = (address: string) =>
    testServer.request("POST", "/token?grant_type=password", {
      body: { email: address, password: "x" },
      headers,
    });
  const told = async (count: number) => {
    const entries = await retryUntilPassing(async () => {
      const found = entriesOf(await ask("?query=action:login_failed&per_page=100"));
      if (found.length < count) throw new Error(`${found.length} entries`);
      return found;
    });
    expect(entries).toHaveLength(count);
    return entries;
  };
  await guess("nobody@example.org");
  expect((await guess(email)).status).toBe(400);
  const [entry] = await told(1);
  expect(entry).toMatchObject({
    ip_address: "203.0.113.77",
    payload: { actor_id: id, actor_username: email, log_type: "account", traits: { provider: "email" } },
  });
  await browser.auth.verifyOtp({ email, token: "000000", type: "recovery" });
  const { data } = await browser.auth.mfa.enroll({ factorType: "totp" });
  const path = `/factors/${data?.id}`;
  const challenge = await testServer.request("POST", `${path}/challenge`, { token });
  await testServer.request("POST", `${path}/verify`, {
    token,
    body: { challenge_id: challenge.body.id, code: "abcdef" },
  });
  const ways = (await told(3)).map(({ payload }) => (payload.traits as { provider: string }).provider);
  expect(ways.toSorted()).toEqual(["email", "email code", "totp factor"]);
  const other = await join("flooded");
  for (let i = 0; i < 4; i++) await guess(other.email);
  // Work after responses is done in order; the last of these actions belongs to another user.
  await testServer.visitor().auth.resetPasswordForEmail(other.email);
  await testServer.mailTo(other.email);
  await told(5);
});

test("at most a hundred entries a day are recorded per user and action", async () => {
  const { browser, id } = await join("busy");
  await testServer.query(
    `insert into auth.audit_log_entries (id, payload, created_at)
     select gen_random_uuid(), json_build_object('action', 'token_refreshed', 'actor_id', $1::text), now()
     from generate_series(1, 99)`,
    [id],
  );
  for (let i = 0; i < 3; i++) expect((await browser.auth.refreshSession()).error).toBe(null);
  await browser.auth.updateUser({ data: { a: 1 } });
  const [row] = await testServer.query(
    `select count(*) filter (where payload ->> 'action' = 'token_refreshed') as refreshed,
       count(*) filter (where payload ->> 'action' = 'user_modified') as modified
     from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
    [id],
  );
  expect(row).toEqual({ refreshed: "100", modified: "1" });
});

test("the revocation of a stolen token is recorded, a refused action is not", async () => {
  const { browser, id, token } = await join("robbed");
  const stolen = (await browser.auth.getSession()).data.session?.refresh_token;
  await browser.auth.updateUser({ data: { a: "x".repeat(5_000) } });
  await browser.auth.updateUser({ data: { b: "x".repeat(5_000) } });
  await browser.auth.refreshSession();
  await browser.auth.refreshSession();
  await testServer.request("POST", "/token?grant_type=refresh_token", { body: { refresh_token: stolen } });
  await testServer.request("POST", "/logout", { token });
  expect((await actsOf("robbed")).slice(2)).toEqual([
    "user_modified",
    "token_refreshed",
    "token_refreshed",
    "token_revoked",
  ]);
  expect(id).not.toBe("");
});

test("an operator's actions name the account they were about", async () => {
  const { admin } = testServer.server.auth;
  const made = await admin.createUser({ email: "made@example.org", password: PASSWORD });
  const user_id = made.data.user?.id as string;
  await admin.updateUserById(user_id, { email_confirm: true });
  await admin.inviteUserByEmail("guest@example.org");
  await admin.deleteUser(user_id);
  const entries = entriesOf(await ask("?query=author:service_role&per_page=3"));
  expect(entries.map(({ payload }) => payload.action)).toEqual([
    "user_deleted",
    "user_invited",
    "user_modified",
  ]);
  expect(entries[0]?.payload).toEqual({
    action: "user_deleted",
    actor_id: NOBODY,
    actor_username: "service_role",
    actor_via_sso: false,
    log_type: "team",
    traits: { user_id, user_email: "made@example.org", user_phone: "" },
  });
  const token_hash = linkIn(await testServer.mailTo("guest@example.org")).searchParams.get("token") ?? "";
  await testServer.visitor().auth.verifyOtp({ token_hash, type: "invite" });
  expect(await actsOf("guest")).toEqual(["invite_accepted", "login"]);
});

test("a second factor's life cycle is recorded, its key is not", async () => {
  const { browser, id } = await join("careful");
  const { data } = await browser.auth.mfa.enroll({ factorType: "totp" });
  const factorId = data?.id as string;
  const secret = data?.totp.secret as string;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await browser.auth.mfa.challengeAndVerify({ factorId, code });
  await browser.auth.mfa.unenroll({ factorId });
  expect((await actsOf("careful")).slice(2)).toEqual([
    "factor_in_progress",
    "challenge_created",
    "verification_attempted",
    "factor_unenrolled",
  ]);
  const told = JSON.stringify(
    await testServer.query("select payload from auth.audit_log_entries where payload ->> 'actor_id' = $1", [
      id,
    ]),
  );
  for (const hidden of [secret, code]) expect(told).not.toContain(hidden);
});

test("it is paged, can be searched by action and type, and returns the total", async () => {
  const { headers, body } = await ask("?page=2&per_page=2&query=action:LOGIN");
  const total = Number(headers.get("x-total-count"));
  const [row] = await testServer.query(
    "select count(*) from auth.audit_log_entries where payload ->> 'action' like 'login%'",
  );
  expect([body.length, total]).toEqual([2, Number(row?.count)]);
  expect(headers.get("link")).toContain(`</admin/audit?page=3&per_page=2&query=action%3ALOGIN>; rel="next"`);
  const tokens = entriesOf(await ask("?query=type:token&per_page=100"));
  expect(new Set(tokens.map(({ payload }) => payload.action))).toEqual(
    new Set(["token_refreshed", "token_revoked"]),
  );
});

test("a deleted user's entries are deleted as well, and no secret was ever recorded", async () => {
  const { id, email } = await join("leaving");
  expect(await actsOf("leaving")).toHaveLength(2);
  await testServer.query("delete from auth.users where id = $1", [id]);
  expect(await actsOf("leaving")).toEqual([]);
  const all = JSON.stringify(await testServer.query("select * from auth.audit_log_entries"));
  expect(all).not.toContain(email);
  const secrets = testServer.mails.flatMap((mail) => [codeIn(mail), linkIn(mail).searchParams.get("token")]);
  for (const secret of [PASSWORD, ...secrets]) expect(all).not.toContain(secret);
  expect(all).not.toMatch(/argon2|eyJ/);
});
