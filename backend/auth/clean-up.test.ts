import { expect, test } from "vitest";
import { connectDatabase } from "#backend/postgres/database.ts";
import { type AuthHarbour, openAuth, PASSWORD } from "#tests/helpers/auth/auth-harbour.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { cleanUp } from "./clean-up.ts";

const forever = { sessionTimebox: null, sessionInactivity: null, auditRetention: 86_400 };

async function count(query: AuthHarbour["query"], table: string): Promise<number> {
  return Number((await query(`select count(*) from auth.${table}`))[0]?.count);
}

test("only what nobody can use any more is deleted, by the service's own role", async () => {
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
      `insert into auth.rate_limits (key, expire)
       values ($1::text, extract(epoch from now() + interval '2 hours' - $1::text::interval)::bigint * 1000)`,
      [age],
    );
  }
  const left = (table: string) => count((text) => owner.query(text), table);
  await cleanUp(service.query, forever);
  const tables = ["sessions", "flow_state", "audit_log_entries", "rate_limits"];
  expect(await Promise.all(tables.map(left))).toEqual([2, 1, 1, 1]);
  await cleanUp(service.query, { ...forever, sessionInactivity: 24 * 3600 });
  expect(await left("sessions")).toBe(1);
  await cleanUp(service.query, { ...forever, sessionTimebox: 60 });
  expect(await left("sessions")).toBe(0);
  await Promise.all([owner.close(), service.close()]);
  await own.drop();
});

test("a session past its time box or its rest is refused before it is deleted", async () => {
  const harbour = await openAuth({ sessionTimebox: 7200, sessionInactivity: 3600 });
  const browser = harbour.visitor();
  await browser.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  await harbour.query("update auth.sessions set created_at = now() - interval '61 min'");
  expect((await browser.auth.refreshSession()).error).toMatchObject({ status: 400, code: "session_expired" });
  await browser.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  expect((await browser.auth.refreshSession()).error).toBe(null);
  await harbour.query("update auth.sessions set created_at = now() - interval '121 min'");
  expect((await browser.auth.refreshSession()).error?.code).toBe("session_expired");
  await harbour.close();
});

test("only the newest sign-in goes on where a person may have one", async () => {
  const harbour = await openAuth({ singleSession: true });
  const [old, young] = [harbour.visitor(), harbour.visitor()];
  await old.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  expect((await old.auth.refreshSession()).error).toBe(null);
  await young.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  expect((await old.auth.refreshSession()).error).toMatchObject({
    code: "session_expired",
    message: "Invalid Refresh Token: Session Expired (Revoked by Newer Login)",
  });
  expect((await young.auth.refreshSession()).error).toBe(null);
  await harbour.close();
});

test("a session without its person's second factor goes on for a while only", async () => {
  const harbour = await openAuth({ lowAalFor: 600 });
  const browser = harbour.visitor();
  await browser.auth.signUp({ email: "ann@example.org", password: PASSWORD });
  await harbour.query("update auth.sessions set created_at = now() - interval '11 min'");
  expect((await browser.auth.refreshSession()).error).toBe(null);
  await harbour.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users`,
  );
  expect((await browser.auth.refreshSession()).error).toMatchObject({
    code: "session_expired",
    message: "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)",
  });
  await harbour.close();
});
