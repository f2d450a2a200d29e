import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth({ manualLinking: true, phoneEnabled: true, smsAutoconfirm: true });
});
afterAll(() => testServer.close());

async function join(email: string, phone?: string) {
  const browser = testServer.visitor();
  await browser.auth.signUp({ email, password: PASSWORD });
  if (phone) await browser.auth.updateUser({ phone });
  const { data } = await browser.auth.getUserIdentities();
  return { browser, identities: data?.identities ?? [] };
}

test("the last identity cannot be removed, and another user's is not found", async () => {
  const { browser, identities } = await join("one@example.org");
  const only = await browser.auth.unlinkIdentity(identities[0] as (typeof identities)[0]);
  expect(only.error).toMatchObject({ status: 422, code: "single_identity_not_deletable" });
  const two = await join("two@example.org", "15550120");
  const foreign = await two.browser.auth.unlinkIdentity(identities[0] as (typeof identities)[0]);
  expect(foreign.error).toMatchObject({ status: 422, code: "identity_not_found" });
  const token = (await browser.auth.getSession()).data.session?.access_token as string;
  const unknown = await testServer.request("DELETE", "/user/identities/7", { token });
  expect([unknown.status, unknown.body.error_code]).toEqual([404, "validation_failed"]);
});

test("removing an identity removes its address, and it can no longer sign in", async () => {
  const { browser, identities } = await join("leaving@example.org", "15550121");
  expect(identities.map(({ provider }) => provider)).toEqual(["email", "phone"]);
  const email = identities.find(({ provider }) => provider === "email") as (typeof identities)[0];
  expect((await browser.auth.unlinkIdentity(email)).error).toBe(null);
  expect((await browser.auth.getUser()).data.user).toMatchObject({
    email: "",
    phone: "15550121",
    app_metadata: { provider: "phone", providers: ["phone"] },
    identities: [{ provider: "phone" }],
  });
  const sign = (account: { email: string } | { phone: string }) =>
    testServer.visitor().auth.signInWithPassword({ ...account, password: PASSWORD });
  expect((await sign({ email: "leaving@example.org" })).error?.code).toBe("invalid_credentials");
  expect((await sign({ phone: "15550121" })).error).toBe(null);
});

test("a user with a second factor must have used it", async () => {
  const { browser, identities } = await join("careful@example.org", "15550123");
  await testServer.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
    [identities[0]?.user_id],
  );
  const { error } = await browser.auth.unlinkIdentity(identities[1] as (typeof identities)[0]);
  expect(error).toMatchObject({ status: 403, code: "insufficient_aal" });
});

test("two concurrent removals leave one identity", async () => {
  const { browser, identities } = await join("racing@example.org", "15550122");
  await Promise.all(identities.map((identity) => browser.auth.unlinkIdentity(identity)));
  expect((await browser.auth.getUserIdentities()).data?.identities).toHaveLength(1);
});

test("linking is refused without a provider, and if disabled", async () => {
  const { browser } = await join("linking@example.org");
  const { error } = await browser.auth.linkIdentity({ provider: "github" });
  expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  const closed = await openAuth();
  const answers = [
    await closed.request("GET", "/user/identities/authorize?provider=github"),
    await closed.request("DELETE", `/user/identities/${randomUUID()}`),
  ];
  for (const { status, body } of answers)
    expect([status, body.error_code]).toEqual([404, "manual_linking_disabled"]);
  await closed.close();
});
