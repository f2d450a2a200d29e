import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import {
  fragmentOf,
  openProviders,
  type ProviderServer,
  tokensIn,
} from "#tests/helpers/auth/provider-server.ts";

let testServer: ProviderServer;
let people = 0;
beforeAll(async () => {
  testServer = await openProviders({ mailerAutoconfirm: true });
});
afterAll(() => testServer.close());

async function join() {
  const email = `linking${++people}@example.org`;
  const client = testServer.visitor();
  await client.auth.signUp({ email, password: PASSWORD });
  return { client, email };
}

async function link(client: Awaited<ReturnType<typeof join>>["client"]) {
  const options = { skipBrowserRedirect: true, redirectTo: "http://site.test/account" };
  const { data, error } = await client.auth.linkIdentity({ provider: "discord", options });
  if (error) return { error, landed: null };
  return { error, landed: await testServer.browser().go(data.url as string) };
}

test("a signed-in user links a provider, and can sign in through it afterwards", async () => {
  const { client, email } = await join();
  const person = testServer.somebody();
  const { landed } = await link(client);
  const { data } = await client.auth.setSession(tokensIn(landed as URL));
  // The account keeps its own address, and gets no name.
  expect(data.user).toMatchObject({ email, app_metadata: { providers: ["email", "discord"] } });
  expect(data.user?.user_metadata.full_name).toBe(undefined);
  const again = await testServer.signIn("discord");
  expect((await again.auth.getUser()).data.user?.id).toBe(data.user?.id);
  expect(data.user?.identities?.map(({ id }) => id)).toContain(person.sub);
});

test("an identity belongs to one account only", async () => {
  testServer.somebody();
  await testServer.signIn("discord");
  const { client } = await join();
  const { landed } = await link(client);
  expect(fragmentOf(landed as URL)).toMatchObject({
    error_code: "identity_already_exists",
    error_description: "Identity is already linked to another user",
  });
});

test("an identity that another account links at the same moment is refused like one it had before", async () => {
  const [winner, loser] = [await join(), await join()];
  const idOf = async ({ client }: typeof winner) => (await client.auth.getUser()).data.user?.id;
  const { sub } = testServer.somebody();
  // Runs between the service's look and its insert, as another request's commit would.
  await testServer.query(`
    create function public.win() returns trigger language plpgsql security definer as $$ begin
      insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values (new.provider_id, '${await idOf(winner)}', new.identity_data, new.provider, now(), now(), now());
      return new;
    end $$;
    create trigger win before insert on auth.identities
      for each row when (new.user_id = '${await idOf(loser)}' and new.provider_id = '${sub}') execute function public.win()`);
  const { landed } = await link(loser.client);
  await testServer.query("drop trigger win on auth.identities; drop function public.win()");
  expect(fragmentOf(landed as URL)).toMatchObject({
    error: "invalid_request",
    error_code: "identity_already_exists",
  });
});

test("two tabs that sign in at once through a provider not used before both get in, and stay", async () => {
  for (let times = 0; times < 3; times++) {
    const { email } = await join();
    testServer.somebody({ email });
    const tabs = await Promise.all([testServer.signIn("discord"), testServer.signIn("discord")]);
    const users = await Promise.all(tabs.map(async ({ auth }) => (await auth.getUser()).data.user));
    expect(users.map((user) => user?.email)).toEqual([email, email]);
    expect(users[0]?.identities?.map(({ provider }) => provider)).toContain("discord");
  }
});

type Client = Awaited<ReturnType<typeof join>>["client"];
test.each<[string, (client: Client) => Promise<{ error: unknown }>]>([
  ["a new password", ({ auth }) => auth.updateUser({ password: `${PASSWORD}2` })],
  ["logging out", ({ auth }) => auth.signOut()],
])("%s ends a link that has begun, and that a stranger may have begun", async (_, end) => {
  const { client } = await join();
  testServer.somebody();
  const options = { skipBrowserRedirect: true, redirectTo: "http://site.test/account" };
  const { data } = await client.auth.linkIdentity({ provider: "discord", options });
  expect((await end(client)).error).toBe(null);
  const landed = await testServer.browser().go(data?.url as string);
  expect(fragmentOf(landed).error_code).toBe("bad_oauth_state");
});

test("an identity can also be linked by an ID token", async () => {
  const { client, email } = await join();
  const person = testServer.somebody();
  const token = await testServer.counterpart.idToken({ ...person });
  const { data, error } = await client.auth.linkIdentity({ provider: "google", token });
  expect(error).toBe(null);
  expect(data.user).toMatchObject({ email, app_metadata: { providers: ["email", "google"] } });
  const nobody = await testServer.visitor().auth.linkIdentity({ provider: "google", token });
  expect(nobody.error).not.toBe(null);
});

describe("unlinking", () => {
  test("is refused for the only identity, and works once a password is set", async () => {
    const person = testServer.somebody();
    const client = await testServer.signIn("discord");
    const identitiesOf = async () => (await client.auth.getUserIdentities()).data?.identities ?? [];
    const [only] = await identitiesOf();
    expect((await client.auth.unlinkIdentity(only as NonNullable<typeof only>)).error?.code).toBe(
      "single_identity_not_deletable",
    );
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBe(null);
    expect((await identitiesOf()).map(({ provider }) => provider)).toEqual(["discord", "email"]);
    expect((await client.auth.unlinkIdentity(only as NonNullable<typeof only>)).error).toBe(null);
    const { data } = await testServer
      .visitor()
      .auth.signInWithPassword({ email: person.email, password: PASSWORD });
    expect(data.user?.app_metadata).toMatchObject({ provider: "email", providers: ["email"] });
  });

  test("also removes the address if no other identity verifies it", async () => {
    const person = testServer.somebody();
    const client = await testServer.signIn("google");
    const other = testServer.somebody();
    const { landed } = await link(client);
    await client.auth.setSession(tokensIn(landed as URL));
    const identities = (await client.auth.getUserIdentities()).data?.identities ?? [];
    const google = identities.find(({ provider }) => provider === "google");
    expect((await client.auth.getUser()).data.user?.email).toBe(person.email);
    expect((await client.auth.unlinkIdentity(google as NonNullable<typeof google>)).error).toBe(null);
    expect((await client.auth.getUser()).data.user?.email).toBe(other.email);
  });
});

describe("with the account guard", () => {
  let guarded: ProviderServer;
  beforeAll(async () => {
    guarded = await openProviders({
      mailerAutoconfirm: true,
      siteUrl: "http://backend.test",
      accountGuard: { proofSeconds: 600, undoPage: "http://backend.test/auth" },
      providerProfiles: false,
    });
  });
  afterAll(() => guarded.close());

  test("linking requires recent proof, and the owner is notified", async () => {
    const email = "guarded@example.org";
    const client = guarded.visitor();
    await client.auth.signUp({ email, password: PASSWORD });
    await guarded.query("update auth.mfa_amr_claims set updated_at = now() - interval '1 hour'");
    const options = { skipBrowserRedirect: true };
    const late = await client.auth.linkIdentity({ provider: "discord", options });
    expect(late.error?.code).toBe("reauthentication_needed");
    await client.auth.signInWithPassword({ email, password: PASSWORD });
    guarded.somebody();
    // Page and service share a host here, so a cookie binds the link to the browser.
    const { data } = await client.auth.getSession();
    const begin = () =>
      guarded.request("GET", "/user/identities/authorize?provider=discord&skip_http_redirect=true", {
        token: data.session?.access_token,
      });
    const stranger = await guarded.browser().go((await begin()).body.url as string, isSite);
    expect(fragmentOf(stranger).error_code).toBe("bad_oauth_state");
    const begun = await begin();
    const browser = guarded.browser();
    browser.keep("http://backend.test/auth/v1/user/identities/authorize", begun.headers);
    expect(fragmentOf(await browser.go(begun.body.url as string, isSite)).access_token).toMatch(/.+/);
    const mail = await guarded.mailTo(email);
    expect(mail.subject).toBe("Another way to sign in was added to your account at Harbor");
  });

  test("only the id and address are stored", async () => {
    guarded.somebody({ name: "Anna Real", picture: "https://pictures.test/anna.png" });
    const client = guarded.visitor();
    const { url } = await guarded.leave("google", { redirectTo: "http://backend.test/auth" });
    await client.auth.setSession(tokensIn(await guarded.browser().go(url, isSite)));
    const { data } = await client.auth.getUser();
    expect(data.user?.user_metadata).toEqual({});
    expect(Object.keys(data.user?.identities?.[0]?.identity_data ?? {}).sort()).toEqual([
      "email",
      "email_verified",
      "phone_verified",
      "provider_id",
      "sub",
    ]);
  });

  const isSite = (url: URL) => url.hostname === "backend.test" && !url.pathname.startsWith("/auth/v1");
});
