import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Answer,
  type AuthHarbour,
  codeIn,
  linkIn,
  openAuth,
  PASSWORD,
} from "#tests/helpers/auth/auth-harbour.ts";

type Entry = {
  id: string;
  created_at: string;
  ip_address: string;
  payload: Record<string, unknown> & { action: string };
};

let harbour: AuthHarbour;
const addressHeader = "x-visitor";
const NOBODY = "00000000-0000-0000-0000-000000000000";

beforeAll(async () => {
  const { defaultAuthConfig } = await import("./auth-defaults.ts");
  const limits = { ...defaultAuthConfig.limits, accountSend: { points: 9, seconds: 60 } };
  harbour = await openAuth({ addressHeader, limits });
});
afterAll(() => harbour.close());

const ask = (search: string, token: string | null = harbour.serviceRoleKey) =>
  harbour.request("GET", `/admin/audit${search}`, { token });
const entriesOf = ({ body }: Answer) => body as unknown as Entry[];
/** What was done by somebody, the oldest first. */
const actsOf = async (author: string) =>
  entriesOf(await ask(`?query=author:${author}&per_page=100`))
    .map(({ payload }) => payload.action)
    .toReversed();

async function join(name: string) {
  const browser = harbour.visitor();
  const email = `${name}@example.org`;
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  return { browser, email, id: data.user?.id as string, token: data.session?.access_token as string };
}

test("only a server reads it", async () => {
  const { token } = await join("curious");
  expect((await ask("", token)).body).toMatchObject({ error_code: "not_admin" });
  expect((await ask("", null)).body).toMatchObject({ error_code: "no_authorization" });
  expect((await harbour.visitor().from("audit_log_entries").select()).error).not.toBe(null);
});

test.each(["nobody", "password:x", "constructor:x", "author"])(
  "the search %s names nothing to search in",
  async (search) => {
    const { status, body } = await ask(`?query=${search}`);
    expect([status, body.msg]).toEqual([400, `Invalid query scope: ${search}`]);
  },
);

test("each act of a person is told, by whom, of what kind and from where", async () => {
  const { browser, email, id } = await join("mara");
  await browser.auth.refreshSession();
  await browser.auth.updateUser({ data: { full_name: "Mara" } });
  await browser.auth.updateUser({ password: `${PASSWORD}2` });
  await browser.auth.updateUser({ email: "mara2@example.org" });
  await browser.auth.resetPasswordForEmail("mara2@example.org");
  const mail = await harbour.mailTo("mara2@example.org");
  await browser.auth.verifyOtp({ email: "mara2@example.org", token: codeIn(mail), type: "recovery" });
  await browser.auth.signOut();
  await harbour.request("POST", "/token?grant_type=password", {
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

test("a stolen token's end, and a refused act's absence, are told too", async () => {
  const { browser, id, token } = await join("robbed");
  const stolen = (await browser.auth.getSession()).data.session?.refresh_token;
  await browser.auth.updateUser({ data: { a: "x".repeat(900_000) } });
  await browser.auth.updateUser({ data: { b: "x".repeat(900_000) } });
  await browser.auth.refreshSession();
  await browser.auth.refreshSession();
  await harbour.request("POST", "/token?grant_type=refresh_token", { body: { refresh_token: stolen } });
  await harbour.request("POST", "/logout", { token });
  expect((await actsOf("robbed")).slice(2)).toEqual([
    "user_modified",
    "token_refreshed",
    "token_refreshed",
    "token_revoked",
  ]);
  expect(id).not.toBe("");
});

test("an operator's acts say whom they were about", async () => {
  const { admin } = harbour.server.auth;
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
  const token_hash = linkIn(await harbour.mailTo("guest@example.org")).searchParams.get("token") ?? "";
  await harbour.visitor().auth.verifyOtp({ token_hash, type: "invite" });
  expect(await actsOf("guest")).toEqual(["invite_accepted", "login"]);
});

test("a second factor's life is told, its key is not", async () => {
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
    await harbour.query("select payload from auth.audit_log_entries where payload ->> 'actor_id' = $1", [id]),
  );
  for (const hidden of [secret, code]) expect(told).not.toContain(hidden);
});

test("it comes in pages, is searched by act and kind, and tells its size", async () => {
  const { headers, body } = await ask("?page=2&per_page=2&query=action:LOGIN");
  const total = Number(headers.get("x-total-count"));
  const [row] = await harbour.query(
    "select count(*) from auth.audit_log_entries where payload ->> 'action' = 'login'",
  );
  expect([body.length, total]).toEqual([2, Number(row?.count)]);
  expect(headers.get("link")).toContain(`</admin/audit?page=3&per_page=2>; rel="next"`);
  const tokens = entriesOf(await ask("?query=type:token&per_page=100"));
  expect(new Set(tokens.map(({ payload }) => payload.action))).toEqual(
    new Set(["token_refreshed", "token_revoked"]),
  );
});

test("a deleted person's acts go with the person, and no secret was ever told", async () => {
  const { id, email } = await join("leaving");
  expect(await actsOf("leaving")).toHaveLength(2);
  await harbour.query("delete from auth.users where id = $1", [id]);
  expect(await actsOf("leaving")).toEqual([]);
  const all = JSON.stringify(await harbour.query("select * from auth.audit_log_entries"));
  expect(all).not.toContain(email);
  const secrets = harbour.mails.flatMap((mail) => [codeIn(mail), linkIn(mail).searchParams.get("token")]);
  for (const secret of [PASSWORD, ...secrets]) expect(all).not.toContain(secret);
  expect(all).not.toMatch(/argon2|eyJ/);
});
