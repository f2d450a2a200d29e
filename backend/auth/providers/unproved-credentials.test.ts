import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkIn, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { fragmentOf, openProviders, type ProviderServer } from "#tests/helpers/auth/provider-server.ts";

let people = 0;

async function join(server: ProviderServer, data = {}) {
  const email = `person${++people}@example.org`;
  const client = server.visitor();
  const { data: joined } = await client.auth.signUp({ email, password: PASSWORD, options: { data } });
  return { email, client, id: joined.user?.id as string };
}

/** Signs in through a provider that verified the address; returns the result in the address of the site's page. */
async function arrive(server: ProviderServer, email: string) {
  server.somebody({ email });
  return fragmentOf(await server.browser().go((await server.leave("discord")).url));
}

const signIn = async (server: ProviderServer, email: string) =>
  (await server.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error?.code ?? "in";

async function openLink(server: ProviderServer, to: string, type: "magiclink" | "email_change") {
  const token = linkIn(await server.mailTo(to)).searchParams.get("token") ?? "";
  return server.visitor().auth.verifyOtp({ token_hash: token, type });
}

describe("where sign-ups need no mail, a sign-in through a provider", () => {
  let testServer: ProviderServer;
  beforeAll(async () => {
    testServer = await openProviders({
      mailerAutoconfirm: true,
      accountGuard: { proofSeconds: 600, undoPage: "http://site.test/auth" },
    });
  });
  afterAll(() => testServer.close());

  test("ends the password of an account whose address nobody proved, whatever its sign-up claimed", async () => {
    const { email } = await join(testServer, { email_proved: true, email_verified: true });
    expect(await arrive(testServer, email)).toMatchObject({ token_type: "bearer" });
    expect(await signIn(testServer, email)).toBe("invalid_credentials");
  });

  test("changes nothing in an account with a second factor, which protects it from whoever reads the mailbox", async () => {
    const { email, client } = await join(testServer);
    const { data } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "App" });
    const code = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? "") }).generate();
    await client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? "", code });
    expect((await arrive(testServer, email)).error_code).toBe("user_already_exists");
    const { data: after } = await client.auth.getUser();
    expect(after.user).toMatchObject({
      factors: [{ status: "verified" }],
      app_metadata: { providers: ["email"] },
    });
    expect(await signIn(testServer, email)).toBe("in");
  });

  test("does not take an account from the owner of its number", async () => {
    const email = `number${++people}@example.org`;
    const number = { phone: "15550199", phone_confirm: true };
    await testServer.server.auth.admin.createUser({ ...number, email, password: PASSWORD });
    expect((await arrive(testServer, email)).error_code).toBe("user_already_exists");
    const { body } = await testServer.request("GET", "/admin/users", { token: testServer.serviceRoleKey });
    expect(body.users).toContainEqual(expect.objectContaining({ phone: number.phone, email }));
  });

  test("enters no account that the owner of its former address can still take back", async () => {
    const owner = await join(testServer);
    const email = `taken${++people}@example.org`;
    expect((await owner.client.auth.updateUser({ email })).error).toBe(null);
    const token_hash = new URLSearchParams(linkIn(await testServer.mailTo(owner.email)).hash.slice(1)).get(
      "way_back",
    );
    expect((await arrive(testServer, email)).error_code).toBe("user_already_exists");
    const { data } = await testServer
      .visitor()
      .auth.verifyOtp({ token_hash: token_hash ?? "", type: "recovery" });
    expect(data.user?.email).toBe(owner.email);
    expect(await arrive(testServer, email), "now it is free").toMatchObject({ token_type: "bearer" });
  });
});

describe("with the services alone, and without sign-up mails, an account keeps its credentials", () => {
  let testServer: ProviderServer;
  beforeAll(async () => {
    testServer = await openProviders({ mailerAutoconfirm: true });
  });
  afterAll(() => testServer.close());

  test("if a mail proved its address after the sign-up", async () => {
    const { email, client } = await join(testServer);
    await client.auth.signInWithOtp({ email });
    expect((await openLink(testServer, email, "magiclink")).error).toBe(null);
    expect(await arrive(testServer, email)).toMatchObject({ token_type: "bearer" });
    expect(await signIn(testServer, email)).toBe("in");
  });

  test("if both mailboxes agreed to its new address, which its first provider does not know", async () => {
    const former = testServer.somebody();
    const client = await testServer.signIn("google");
    const email = `moved${++people}@example.org`;
    await client.auth.updateUser({ email, password: PASSWORD });
    for (const to of [former.email, email]) await openLink(testServer, to, "email_change");
    expect(await arrive(testServer, email)).toMatchObject({ token_type: "bearer" });
    expect(await signIn(testServer, email)).toBe("in");
    const { data } = await testServer.server.auth.admin.getUserById(
      (await client.auth.getUser()).data.user?.id ?? "",
    );
    expect(data.user?.app_metadata.providers).toEqual(["google", "email", "discord"]);
  });

  test("if an operator confirmed its address", async () => {
    const email = `made${++people}@example.org`;
    await testServer.server.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    expect(await arrive(testServer, email)).toMatchObject({ token_type: "bearer" });
    expect(await signIn(testServer, email)).toBe("in");
  });
});
