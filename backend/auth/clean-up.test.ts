import { expect, test } from "vitest";
import { connectDatabase } from "#backend/postgres/database.ts";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { cleanUp, listExpiring } from "./clean-up.ts";

const accountGuard = { proofSeconds: 600, undoPage: "http://site.test" };
const forever = {
  sessionTimebox: null,
  sessionInactivity: null,
  auditRetention: 86_400,
  accountGuard,
  unconfirmedRetention: 30 * 86_400,
  anonymousRetention: 30 * 86_400,
};

const fail = (cause: unknown) => {
  throw cause;
};

async function count(query: AuthTestServer["query"], table: string): Promise<number> {
  return Number((await query(`select count(*) from ${table}`))[0]?.count);
}

test("only rows that can no longer be used are deleted, by the service's own role", async () => {
  const own = await createTestDatabase({ people: true });
  const [owner, service] = [connectDatabase({ url: own.url }), connectDatabase({ url: own.authUrl })];
  for (const age of ["1 hour", "25 hours"]) {
    await owner.query(
      `insert into auth.sessions (id, user_id, created_at, aal)
       select gen_random_uuid(), id, now() - $1::interval, 'aal1' from auth.users where email = 'ana@example.org'`,
      [age],
    );
    await owner.query(
      `insert into auth.flow_state (id, provider_type, authentication_method, updated_at)
       values (gen_random_uuid(), 'recovery', 'recovery', now() - $1::interval)`,
      [age],
    );
    await owner.query(
      "insert into auth.audit_log_entries (id, created_at) values (gen_random_uuid(), now() - $1::interval)",
      [age],
    );
    await owner.query(
      `insert into backend.rate_limits (key, expire)
       values ($1::text, extract(epoch from now() + interval '2 hours' - $1::text::interval)::bigint * 1000)`,
      [age],
    );
    await owner.query(
      `insert into backend.ways_back (token_hash, user_id, email, since, made_at)
       select encode(sha256(convert_to($1::text, 'utf8')), 'hex'), user_id, 'ann@example.org', now(),
         now() - 8 * $1::text::interval
       from auth.sessions limit 1`,
      [age],
    );
  }
  await owner.query(
    `insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, created_at)
     select gen_random_uuid(), kind::auth.oauth_registration_type, 'https://a.test/', 'authorization_code', 'none',
       now() - age
     from (values ('dynamic', interval '8 days'), ('dynamic', interval '6 days'), ('manual', interval '8 days'))
       as made (kind, age)`,
  );
  await owner.query(
    `insert into auth.oauth_authorizations (id, authorization_id, client_id, redirect_uri, scope, created_at, expires_at)
     select gen_random_uuid(), age::text, client.id, 'https://a.test/', 'email', now() - interval '3 days', now() - age
     from (values (interval '1 hour'), (interval '25 hours')) as over (age),
       (select id from auth.oauth_clients where registration_type = 'manual') as client`,
  );
  const left = (table: string) => count((text) => owner.query(text), table);
  await cleanUp(service.query, forever, fail);
  const tables = ["auth.sessions", "auth.flow_state", "auth.audit_log_entries", "backend.rate_limits"];
  expect(await Promise.all([...tables, "backend.ways_back"].map(left))).toEqual([2, 1, 1, 1, 1]);
  expect(await Promise.all(["auth.oauth_clients", "auth.oauth_authorizations"].map(left))).toEqual([2, 1]);
  await cleanUp(service.query, { ...forever, sessionInactivity: 24 * 3600 }, fail);
  expect(await left("auth.sessions")).toBe(1);
  await cleanUp(service.query, { ...forever, sessionTimebox: 60 }, fail);
  expect(await left("auth.sessions")).toBe(0);
  await Promise.all([owner.close(), service.close()]);
  await own.drop();
});

test("unconfirmed accounts are removed after a month, those created in bulk after a day", async () => {
  const own = await createTestDatabase();
  const [owner, service] = [connectDatabase({ url: own.url }), connectDatabase({ url: own.authUrl })];
  const make = async (
    name: string,
    age: string,
    more = "confirmation_sent_at = created_at",
    address?: string,
  ) => {
    await owner.query(
      `insert into auth.users (id, email, created_at) values (gen_random_uuid(), $1, now() - $2::interval)`,
      [name, age],
    );
    await owner.query(`update auth.users set ${more} where email = $1`, [name]);
    if (!address) return;
    await owner.query(
      `insert into auth.audit_log_entries (id, payload, created_at, ip_address)
       select gen_random_uuid(), json_build_object('action', 'user_confirmation_requested', 'actor_id', id), created_at, $2
       from auth.users where email = $1`,
      [name, address],
    );
  };
  await make("left", "31 days");
  await make("asked again", "31 days", "confirmation_sent_at = now() - interval '2 days'");
  await make("waiting", "29 days");
  await make("made by an operator", "31 days", "updated_at = now()");
  await make("invited", "31 days", "confirmation_sent_at = created_at, invited_at = created_at");
  await make("confirmed", "31 days", "confirmation_sent_at = created_at, email_confirmed_at = now()");
  await make("signed in", "31 days", "confirmation_sent_at = created_at, last_sign_in_at = now()");
  for (let i = 0; i < 20; i++) await make(`crowd ${i}`, "25 hours", undefined, `2001:db8:0:7::${i}`);
  for (let i = 0; i < 19; i++) await make(`school ${i}`, "25 hours", undefined, "192.0.2.1");
  await make("today's of the crowd", "23 hours", undefined, "2001:db8:0:7::1");
  await cleanUp(service.query, forever, fail);
  const left = (await owner.query("select email from auth.users order by email")).map(({ email }) => email);
  expect(left.filter((email) => !email?.startsWith("school"))).toEqual([
    "asked again",
    "confirmed",
    "invited",
    "made by an operator",
    "signed in",
    "today's of the crowd",
    "waiting",
  ]);
  expect(left).toHaveLength(7 + 19);
  await Promise.all([owner.close(), service.close()]);
  await own.drop();
});

test("an account that another table refers to keeps neither other accounts nor anything else from being removed", async () => {
  const own = await createTestDatabase();
  const [owner, service] = [connectDatabase({ url: own.url }), connectDatabase({ url: own.authUrl })];
  await owner.query(
    `insert into auth.users (id, email, is_anonymous, created_at, confirmation_sent_at)
     select gen_random_uuid(), case when not guest then name end, guest, at, case when not guest then at end
     from unnest(array[true, false]) as guest, unnest(array['held', 'other']) as name,
       lateral (select now() - interval '31 days' as at)`,
  );
  await owner.query("create table public.held (id uuid references auth.users)");
  await owner.query(
    `insert into public.held (select id from auth.users where email = 'held')
     union all (select id from auth.users where is_anonymous limit 1)`,
  );
  await owner.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, updated_at)
     values (gen_random_uuid(), 'recovery', 'recovery', now() - interval '25 hours')`,
  );
  const reported: unknown[] = [];
  await cleanUp(service.query, forever, (cause) => reported.push(cause));
  const left = (await owner.query("select id from auth.users")).map(({ id }) => id);
  expect(left.sort()).toEqual((await owner.query("select id from public.held")).map(({ id }) => id).sort());
  expect(await owner.query("select from auth.flow_state")).toEqual([]);
  // Once for sign-ups, once for guests.
  expect(reported).toMatchObject([{ constraint: "held_id_fkey" }, { constraint: "held_id_fkey" }]);
  await Promise.all([owner.close(), service.close()]);
  await own.drop();
});

test("a session past its timebox or inactivity timeout is refused even before it is deleted", async () => {
  const testServer = await openAuth({ sessionTimebox: 7200, sessionInactivity: 3600 });
  const browser = testServer.visitor();
  await browser.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  await testServer.query("update auth.sessions set created_at = now() - interval '61 min'");
  expect((await browser.auth.refreshSession()).error).toMatchObject({ status: 400, code: "session_expired" });
  await browser.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  expect((await browser.auth.refreshSession()).error).toBe(null);
  await testServer.query("update auth.sessions set created_at = now() - interval '121 min'");
  expect((await browser.auth.refreshSession()).error).toMatchObject({
    code: "session_expired",
    message: "Invalid Refresh Token: Session Expired",
  });
  await testServer.close();
});

test("with single sessions, only the newest sign-in continues", async () => {
  const testServer = await openAuth({ singleSession: true });
  const [old, young] = [testServer.visitor(), testServer.visitor()];
  await old.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  expect((await old.auth.refreshSession()).error).toBe(null);
  await young.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  expect((await old.auth.refreshSession()).error).toMatchObject({
    code: "session_expired",
    message: "Invalid Refresh Token: Session Expired (Revoked by Newer Login)",
  });
  expect((await young.auth.refreshSession()).error).toBe(null);
  await testServer.close();
});

test("a session without the user's second factor continues only for a limited time", async () => {
  const testServer = await openAuth({ lowAalFor: 600 });
  const browser = testServer.visitor();
  await browser.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  await testServer.query("update auth.sessions set created_at = now() - interval '11 min'");
  expect((await browser.auth.refreshSession()).error).toBe(null);
  await testServer.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users`,
  );
  expect((await browser.auth.refreshSession()).error).toMatchObject({
    code: "session_expired",
    message: "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)",
  });
  await testServer.close();
});

/** Tables with a time that listExpiring does not name. */
const NOT_EXPIRING = [
  // cleanUp deletes from these by rules of their own.
  "auth.oauth_clients",
  "auth.sessions",
  "auth.users",
  "backend.rate_limits",
  // These go with their session.
  "auth.mfa_amr_claims",
  "auth.refresh_tokens",
  // These belong to an account and go with it.
  "auth.identities",
  "auth.mfa_factors",
  "auth.oauth_consents",
  "auth.webauthn_credentials",
  "backend.known_devices",
  "backend.recovery_codes",
  // The mail queue is emptied by sending, and forgets lost mails itself.
  "backend.lost_mails",
  "backend.mail_queue",
  // What operators set up.
  "auth.custom_oauth_providers",
  "auth.saml_providers",
  "auth.sso_domains",
  "auth.sso_providers",
  // The schema's own record, and tables of the Auth server that this service leaves empty.
  "auth.instances",
  "auth.oauth_client_states",
  "backend.schema_files",
];

test("every table with a time expires, or is known not to", async () => {
  const own = await createTestDatabase();
  const owner = connectDatabase({ url: own.url });
  const rows = await owner.query(
    `select distinct table_schema || '.' || table_name as name from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema in ('auth', 'backend') and table_type = 'BASE TABLE'
       and (data_type like 'timestamp%' or column_name = 'expire')`,
  );
  const expiring = listExpiring(forever, { areKept: true }).map(([table]) => table);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...expiring, ...NOT_EXPIRING].toSorted());
  await owner.close();
  await own.drop();
});
