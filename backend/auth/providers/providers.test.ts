import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { fragmentOf, openProviders, type ProviderServer } from "#tests/helpers/auth/provider-server.ts";

let testServer: ProviderServer;
beforeAll(async () => {
  testServer = await openProviders();
});
afterAll(() => testServer.close());

const userOf = async (client: Awaited<ReturnType<ProviderServer["signIn"]>>) =>
  (await client.auth.getUser()).data.user;

describe("signing in", () => {
  test.each(["discord", "google", "apple", "custom:roblox"] as const)(
    "through %s, and again",
    async (provider) => {
      const person = testServer.somebody();
      const user = await userOf(await testServer.signIn(provider));
      expect(user).toMatchObject({
        email: person.email,
        app_metadata: { provider, providers: [provider] },
        user_metadata: { sub: person.sub },
        identities: [{ provider, id: person.sub, identity_data: { sub: person.sub, email_verified: true } }],
      });
      expect((await userOf(await testServer.signIn(provider)))?.id).toBe(user?.id);
    },
  );

  test("creates a generated username, never the provider's name", async () => {
    testServer.somebody({ name: "Anna Real" });
    const user = await userOf(await testServer.signIn("discord"));
    const [profile] = await testServer.query("select username, avatar_url from profiles where id = $1", [
      user?.id,
    ]);
    expect(profile?.username).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d+$/);
    expect(profile?.avatar_url).toBe(null);
  });

  test("returns the provider's own token in the URL, or with the session after a code exchange", async () => {
    testServer.somebody();
    const { url } = await testServer.leave("discord");
    expect(fragmentOf(await testServer.browser().go(url)).provider_token).toMatch(/.+/);
    const pkce = await testServer.leave("discord", { flowType: "pkce" });
    const landed = await testServer.browser().go(pkce.url);
    expect(landed.hash).toBe("");
    const stored = await testServer.query(
      "select provider_access_token from auth.flow_state where auth_code is not null",
    );
    expect(stored).toEqual([{ provider_access_token: expect.stringMatching(/^sealed:/) }]);
    const { data } = await pkce.client.auth.exchangeCodeForSession(landed.searchParams.get("code") as string);
    expect(data.session?.provider_token).toMatch(/^(?!sealed:).+/);
    expect(testServer.logged.join()).not.toContain(data.session?.provider_token);
  });

  test("works without an address, if the operator allows that", async () => {
    testServer.somebody({ email: undefined, email_verified: undefined });
    const user = await userOf(await testServer.signIn("custom:roblox"));
    expect(user).toMatchObject({ email: "", identities: [{ provider: "custom:roblox" }] });
    const landed = await testServer.browser().go((await testServer.leave("discord")).url);
    expect(fragmentOf(landed)).toMatchObject({
      error: "access_denied",
      error_code: "provider_email_needs_verification",
    });
  });

  test("records the sign-up and each sign-in with the provider", async () => {
    testServer.somebody();
    const user = await userOf(await testServer.signIn("google"));
    const entries = await testServer.query(
      `select payload ->> 'action' as action, payload -> 'traits' ->> 'provider' as provider
       from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by created_at`,
      [user?.id],
    );
    expect(entries).toEqual([
      { action: "user_signedup", provider: "google" },
      { action: "login", provider: "google" },
    ]);
  });
});

describe("an account with the same address", () => {
  test("is signed in to if the provider verified the address, and keeps its password", async () => {
    const person = testServer.somebody();
    const { data } = await testServer.server.auth.admin.createUser({
      email: person.email,
      password: PASSWORD,
      email_confirm: true,
    });
    const user = await userOf(await testServer.signIn("google"));
    expect(user?.id).toBe(data.user?.id);
    expect(user?.app_metadata.providers).toEqual(["email", "google"]);
    const signed = await testServer
      .visitor()
      .auth.signInWithPassword({ email: person.email, password: PASSWORD });
    expect(signed.error).toBe(null);
  });

  test("cannot be signed in to if the provider did not verify the address", async () => {
    const person = testServer.somebody({ email_verified: false });
    await testServer.server.auth.admin.createUser({ email: person.email, email_confirm: true });
    for (const provider of ["discord", "google"] as const) {
      const landed = await testServer.browser().go((await testServer.leave(provider)).url);
      expect(fragmentOf(landed)).toMatchObject({ error_code: "provider_email_needs_verification" });
    }
    const made = await testServer.query("select from auth.identities where provider_id = $1", [person.sub]);
    expect(made).toEqual([]);
  });

  test("loses credentials that a stranger prepared before its owner signed in", async () => {
    const person = testServer.somebody();
    await testServer.visitor().auth.signUp({ email: person.email, password: PASSWORD });
    await testServer.mailTo(person.email);
    const user = await userOf(await testServer.signIn("google"));
    expect(user?.app_metadata.providers).toEqual(["google"]);
    const signed = await testServer
      .visitor()
      .auth.signInWithPassword({ email: person.email, password: PASSWORD });
    expect(signed.error?.code).toBe("invalid_credentials");
  });

  test("also loses those from a time when sign-ups needed no mail", async () => {
    const { email } = testServer.somebody();
    await testServer.server.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    await testServer.query(
      `update auth.identities set identity_data = identity_data || '{"email_proved": false}' where email = $1`,
      [email],
    );
    await testServer.signIn("google");
    const signed = await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD });
    expect(signed.error?.code).toBe("invalid_credentials");
  });
});

describe("an error of the provider", () => {
  test("is shown on the page that started the sign-in", async () => {
    testServer.counterpart.person = null;
    const { url } = await testServer.leave("discord", { redirectTo: "http://site.test/auth?x=1" });
    const landed = await testServer.browser().go(url);
    expect(landed.searchParams.get("x")).toBe("1");
    expect(fragmentOf(landed)).toMatchObject({
      error: "access_denied",
      error_description: "The user pressed Cancel",
    });
  });

  test("for an unreachable provider redirects the browser back at once", async () => {
    const answer = await testServer.request(
      "GET",
      "/authorize?provider=google&redirect_to=http://site.test/auth",
    );
    expect(answer.status).toBe(302);
    const { openAuth } = await import("#tests/helpers/auth/auth-server.ts");
    const down = await openAuth({
      providers: [
        {
          id: "google",
          name: "Google",
          clientIds: ["site"],
          secret: "any",
          redirectUri: null,
          url: "http://127.0.0.1:9",
          skipNonceCheck: false,
          emailOptional: false,
        },
      ],
    });
    const { headers } = await down.request(
      "GET",
      "/authorize?provider=google&redirect_to=http://site.test/auth",
    );
    const landed = new URL(headers.get("location") ?? "");
    expect(landed.pathname).toBe("/auth");
    expect(fragmentOf(landed)).toMatchObject({ error: "server_error", error_code: "unexpected_failure" });
    await down.close();
  });

  test("for an unknown provider is a refusal", async () => {
    const { status, body } = await testServer.request("GET", "/authorize?provider=myspace");
    expect([status, body.error_code]).toEqual([400, "validation_failed"]);
  });
});

test("/settings lists the enabled providers in display order", async () => {
  const { body } = await testServer.request("GET", "/settings");
  expect(body.external).toMatchObject({ discord: true, google: true, "custom:roblox": true, twitch: false });
  expect(body.external_names).toEqual([
    { id: "custom:roblox", name: "Roblox" },
    { id: "discord", name: "Discord" },
    { id: "google", name: "Google" },
    { id: "apple", name: "Apple" },
  ]);
});

test("a sign-in through a provider reports no new device, since the redirect carries no device mark", async () => {
  const marked = await openProviders({
    accountGuard: { proofSeconds: 600, undoPage: "http://site.test/auth" },
  });
  const { email } = marked.somebody();
  for (let time = 0; time < 2; time += 1) await marked.signIn("discord");
  const known = "select from backend.known_devices join auth.users on id = user_id where email = $1";
  expect(await marked.query(known, [email])).toEqual([]);
  expect(marked.mails).toEqual([]);
  await marked.close();
});
