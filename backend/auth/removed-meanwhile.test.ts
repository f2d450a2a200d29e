import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth({ passkeysEnabled: true, webauthnEnroll: true });
});
afterAll(() => testServer.close());

const ACTS: [name: string, act: (browser: SupabaseClient) => Promise<{ error: unknown }>][] = [
  ["a passkey", (browser) => browser.auth.passkey.startRegistration()],
  ["a second factor", (browser) => browser.auth.mfa.enroll({ factorType: "totp" })],
];

test.each(ACTS)("%s of a user who is being deleted is refused", async (name, act) => {
  const browser = testServer.visitor();
  const email = `${name.replaceAll(" ", "-")}@example.org`;
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  await testServer.query("begin");
  await testServer.query("delete from auth.users where id = $1", [data.user?.id]);
  // Until the deletion is committed, the user is found, and inserts that refer to them wait.
  const asked = act(browser);
  await expect.poll(countWaiting).toBe(1);
  await testServer.query("commit");
  const { error } = await asked;
  expect(error).toMatchObject({ status: 403, code: "user_not_found" });
  expect(testServer.logged).toEqual([]);
});

async function countWaiting(): Promise<number> {
  // Statistics are cached within a transaction.
  await testServer.query("select pg_stat_clear_snapshot()");
  const waiting = await testServer.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length;
}
