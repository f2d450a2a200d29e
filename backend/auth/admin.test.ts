import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AuthTestServer, linkIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;
let admin: AuthTestServer["server"]["auth"]["admin"];

beforeAll(async () => {
  testServer = await openAuth();
  admin = testServer.server.auth.admin;
});
afterAll(() => testServer.close());

describe("a caller without the secret key", () => {
  test("is refused at every admin endpoint", async () => {
    const { data } = await testServer.visitor().auth.signUp({ email: "ann@example.org", password: PASSWORD });
    const id = data.user?.id;
    for (const [method, path] of [
      ["GET", "/admin/users"],
      ["POST", "/admin/users"],
      ["GET", `/admin/users/${id}`],
      ["PUT", `/admin/users/${id}`],
      ["DELETE", `/admin/users/${id}`],
      ["POST", "/admin/generate_link"],
      ["POST", "/invite"],
    ] as const) {
      const body = method === "GET" ? undefined : { email: "x@example.org" };
      const codes = [null, testServer.anonKey, data.session?.access_token ?? ""].map(async (token) => {
        const answer = await testServer.request(method, path, { token, body });
        return [answer.status, answer.body.error_code];
      });
      expect([path, ...(await Promise.all(codes))]).toEqual([
        path,
        [401, "no_authorization"],
        [403, "not_admin"],
        [403, "not_admin"],
      ]);
    }
  });
});

test("a request without an API key, or with a wrong one, is refused; a link is not", async () => {
  for (const apikey of ["", "nonsense", "sb_publishable_wrong"]) {
    expect((await testServer.request("GET", "/settings", { headers: { apikey } })).status).toBe(401);
  }
  expect((await testServer.request("GET", "/health", { headers: { apikey: "" } })).body.name).toBe("GoTrue");
});

test("accounts are listed by page, with the total and links to other pages", async () => {
  for (let i = 0; i < 5; i++) await admin.createUser({ email: `listed${i}@example.org`, password: PASSWORD });
  const { data, error } = await admin.listUsers({ page: 2, perPage: 2 });
  expect(error).toBe(null);
  const total = Number((await testServer.query("select count(*) from auth.users"))[0]?.count);
  expect(data).toMatchObject({ aud: "authenticated", nextPage: 3, lastPage: Math.ceil(total / 2), total });
  expect(data.users).toHaveLength(2);
  const { headers } = await testServer.request("GET", "/admin/users?page=1&per_page=1", {
    token: testServer.serviceRoleKey,
  });
  expect(headers.get("x-total-count")).toBe(String(total));
  expect(headers.get("link")).toBe(
    `</admin/users?page=2&per_page=1>; rel="next", </admin/users?page=${total}&per_page=1>; rel="last"`,
  );
  expect((await admin.listUsers({ page: 9999, perPage: 2 })).data.users).toEqual([]);
});

describe("accounts", () => {
  type User = { email: string };
  const list = async (search: string) => {
    const token = testServer.serviceRoleKey;
    const { body, headers, status } = await testServer.request("GET", `/admin/users?${search}`, { token });
    const emails = (body.users as User[] | undefined)?.map(({ email }) => email);
    return { emails, status, body, total: headers.get("x-total-count"), link: headers.get("link") };
  };

  test("are found by address and full name, and the links keep the search", async () => {
    await admin.createUser({ email: "Needle.One@example.org" });
    await admin.createUser({ email: "two@example.org", user_metadata: { full_name: "Nora Needle" } });
    await admin.createUser({ email: "under_score@example.org" });
    expect(await list("filter=needle")).toMatchObject({
      emails: ["two@example.org", "needle.one@example.org"],
      total: "2",
      link: '</admin/users?page=1&filter=needle>; rel="last"',
    });
    expect((await list("per_page=1&filter=NEEDLE&sort=created_at+asc")).link).toBe(
      '</admin/users?page=2&per_page=1&filter=NEEDLE&sort=created_at+asc>; rel="next", ' +
        '</admin/users?page=2&per_page=1&filter=NEEDLE&sort=created_at+asc>; rel="last"',
    );
    expect((await list("filter=under_s")).emails).toEqual(["under_score@example.org"]);
    expect(await list("filter=nothing%25")).toMatchObject({ emails: [], total: "0" });
  });

  test("are linked by what was searched for alone, since a header has room for no more", async () => {
    const long = "x".repeat(20_000);
    const { status, link } = await list(`filter=needle&password=${long}`);
    expect([status, link]).toEqual([200, '</admin/users?page=1&filter=needle>; rel="last"']);
    expect(await list(`filter=${long}`)).toMatchObject({
      status: 400,
      body: { msg: "filter must have at most 1000 characters" },
    });
  });

  test("are sorted by their age only", async () => {
    await admin.createUser({ email: "sorted1@example.org" });
    await admin.createUser({ email: "sorted2@example.org" });
    const oldest = ["sorted1@example.org", "sorted2@example.org"];
    expect((await list("filter=sorted&sort=created_at+asc")).emails).toEqual(oldest);
    for (const sort of ["created_at", "created_at+DESC"])
      expect((await list(`filter=sorted&sort=${sort}`)).emails).toEqual(oldest.toReversed());
    for (const sort of ["email", "created_at+up", "created_at+asc;select"])
      expect(await list(`sort=${sort}`)).toMatchObject({
        status: 400,
        body: { error_code: "validation_failed" },
      });
  });
});

describe("an account", () => {
  test("cannot be created without an address, or with a taken one", async () => {
    await admin.createUser({ email: "first@example.org" });
    expect((await admin.createUser({ password: PASSWORD })).error).toMatchObject({
      status: 400,
      code: "validation_failed",
    });
    expect((await admin.createUser({ email: "first@example.org" })).error).toMatchObject({
      status: 422,
      code: "email_exists",
    });
    const nil = "00000000-0000-0000-0000-000000000000";
    for (const faulty of [{ ban_duration: "soon" }, { id: "seven" }, { id: nil }]) {
      const { error } = await admin.createUser({ email: "faulty@example.org", ...faulty });
      expect(error?.code).toBe("validation_failed");
    }
  });

  test("that does not exist is not found", async () => {
    expect((await admin.getUserById(randomUUID())).error).toMatchObject({
      status: 404,
      code: "user_not_found",
    });
    const { status, body } = await testServer.request("GET", "/admin/users/7", {
      token: testServer.serviceRoleKey,
    });
    expect({ status, code: body.error_code }).toEqual({ status: 404, code: "validation_failed" });
  });

  test("can sign in once confirmed, has a profile, and can be changed in any field", async () => {
    const { data } = await admin.createUser({
      email: "made@example.org",
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { a: 1 },
      app_metadata: { plan: "free" },
    });
    const id = data.user?.id as string;
    expect(await testServer.query("select from public.profiles where id = $1", [id])).toHaveLength(1);
    const sign = (password = PASSWORD) =>
      testServer.visitor().auth.signInWithPassword({ email: "made@example.org", password });
    expect((await sign()).data.user).toMatchObject({
      user_metadata: { a: 1 },
      app_metadata: { plan: "free", provider: "email" },
    });
    const changed = await admin.updateUserById(id, {
      ban_duration: "1h30m",
      user_metadata: { b: 2 },
      password: "Another 1 password",
    });
    expect(new Date(changed.data.user?.banned_until ?? 0).getTime()).toBeGreaterThan(Date.now() + 5_000_000);
    expect(changed.data.user?.user_metadata).toEqual({ a: 1, b: 2 });
    expect((await sign("Another 1 password")).error).toMatchObject({ status: 400, code: "user_banned" });
    await admin.updateUserById(id, { ban_duration: "none" });
    expect((await sign("Another 1 password")).error).toBe(null);
  });

  test("keeps its password if the new one is empty or breaks the rules", async () => {
    const email = "keeps@example.org";
    const { data } = await admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const id = data.user?.id as string;
    for (const password of ["", "abc", email])
      expect((await admin.updateUserById(id, { password })).error).toMatchObject({
        status: 422,
        code: "weak_password",
      });
    expect((await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD })).error).toBe(
      null,
    );
  });

  test("is gone when deleted, and anonymized when soft-deleted", async () => {
    const make = async (email: string) =>
      (await admin.createUser({ email, password: PASSWORD, email_confirm: true })).data.user?.id as string;
    const [gone, nameless] = [await make("gone@example.org"), await make("nameless@example.org")];
    const browser = testServer.visitor({ flowType: "pkce" });
    await browser.auth.signInWithOtp({ email: "nameless@example.org" });
    const link = linkIn(await testServer.mailTo("nameless@example.org"));
    const opened = await testServer.request("GET", `${link.pathname.replace("/auth/v1", "")}${link.search}`);
    const code = new URL(opened.headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect((await admin.deleteUser(gone)).error).toBe(null);
    expect((await admin.deleteUser(nameless, true)).error).toBe(null);
    expect((await admin.getUserById(gone)).error?.code).toBe("user_not_found");
    expect((await admin.getUserById(nameless)).data.user).toMatchObject({
      email: "",
      deleted_at: expect.any(String),
    });
    for (const email of ["gone@example.org", "nameless@example.org"]) {
      const { error } = await testServer.visitor().auth.signInWithPassword({ email, password: PASSWORD });
      expect(error?.code).toBe("invalid_credentials");
    }
    expect(await testServer.query("select from public.profiles where id = $1", [gone])).toEqual([]);
    expect((await browser.auth.exchangeCodeForSession(code)).error?.code).toBe("flow_state_not_found");
  });

  test("still has its identities when triggers of the project see it soft-deleted", async () => {
    await testServer.query(`
      create table seen_identities (count int);
      create function see_identities() returns trigger language plpgsql security definer as $$
        begin
          insert into public.seen_identities select count(*) from auth.identities where user_id = new.id;
          return null;
        end
      $$;
      create trigger see_identities after update of deleted_at on auth.users for each row execute function see_identities()`);
    onTestFinished(async () => void (await testServer.query("drop function see_identities cascade")));
    const { data } = await admin.createUser({ email: "seen@example.org", email_confirm: true });
    const id = data.user?.id as string;
    expect((await admin.deleteUser(id, true)).error).toBe(null);
    expect(await testServer.query("select count from seen_identities")).toEqual([{ count: 1 }]);
    expect((await admin.getUserById(id)).data.user?.identities).toEqual([]);
  });
});

describe("links without a mail", () => {
  const newcomers = ["signup", "invite", "magiclink"] as const;
  test.each(newcomers)("%s, for an address without an account", async (type) => {
    const email = `link-${type}@example.org`;
    const { data, error } = await admin.generateLink({ type: type as "signup", email, password: PASSWORD });
    expect(error).toBe(null);
    expect(data.properties).toMatchObject({
      verification_type: type,
      email_otp: expect.stringMatching(/^\d{6}$/),
    });
    const proof = { token_hash: data.properties?.hashed_token ?? "", type };
    expect((await testServer.visitor().auth.verifyOtp(proof)).data.user?.email).toBe(email);
    expect((await testServer.visitor().auth.verifyOtp(proof)).error?.code).toBe("otp_expired");
    expect(testServer.mails.filter(({ to }) => to === email)).toEqual([]);
  });

  test("signup, for an address that a stranger signed up with, sets the given password", async () => {
    const own = await openAuth({ mailerAutoconfirm: false });
    const email = "victim@example.org";
    await own.visitor().auth.signUp({ email, password: "A stranger's 1 password" });
    await own.mailTo(email);
    const link = { type: "signup", email, password: PASSWORD } as const;
    const { data, error } = await own.server.auth.admin.generateLink(link);
    expect(error).toBe(null);
    const proof = { token_hash: data.properties?.hashed_token ?? "", type: "signup" } as const;
    expect((await own.visitor().auth.verifyOtp(proof)).error).toBe(null);
    const signIn = async (password: string) =>
      (await own.visitor().auth.signInWithPassword({ email, password })).error;
    expect((await signIn("A stranger's 1 password"))?.code).toBe("invalid_credentials");
    expect(await signIn(PASSWORD)).toBe(null);
    await own.close();
  });

  test("may name their target in the body, if it is allowed", async () => {
    const link = async (target: string) => {
      const body = { type: "magiclink", email: "target@example.org", redirect_to: target };
      const token = testServer.serviceRoleKey;
      return (await testServer.request("POST", "/admin/generate_link", { body, token })).body;
    };
    const { redirect_to, action_link } = await link("http://site.test/welcome");
    expect(redirect_to).toBe("http://site.test/welcome");
    expect(new URL(action_link as string).searchParams.get("redirect_to")).toBe(redirect_to);
    expect((await link("http://evil.test/")).redirect_to).toBe("http://site.test");
  });

  test("recovery of an unknown address, and sign-up of a taken one, are refused", async () => {
    await admin.createUser({ email: "known@example.org", email_confirm: true });
    const unknown = await admin.generateLink({ type: "recovery", email: "unknown@example.org" });
    expect(unknown.error).toMatchObject({ status: 404, code: "user_not_found" });
    const taken = await admin.generateLink({
      type: "signup",
      email: "known@example.org",
      password: PASSWORD,
    });
    expect(taken.error).toMatchObject({ status: 422, code: "email_exists" });
  });

  test("a change of address, by both links", async () => {
    await admin.createUser({ email: "from@example.org", email_confirm: true });
    const addresses = { email: "from@example.org", newEmail: "to@example.org" };
    for (const type of ["email_change_current", "email_change_new"] as const) {
      const { data } = await admin.generateLink({ type, ...addresses });
      const token_hash = data.properties?.hashed_token ?? "";
      expect((await testServer.visitor().auth.verifyOtp({ token_hash, type: "email_change" })).error).toBe(
        null,
      );
    }
    const [row] = await testServer.query(
      "select email, email_change from auth.users where email = 'to@example.org'",
    );
    expect(row).toEqual({ email: "to@example.org", email_change: "" });
  });
});

test("an invitation is a mail with a link into a new account", async () => {
  const { data, error } = await admin.inviteUserByEmail("guest@example.org", { data: { a: 1 } });
  expect(error).toBe(null);
  expect(data.user).toMatchObject({ invited_at: expect.any(String), user_metadata: { a: 1 } });
  const token_hash = linkIn(await testServer.mailTo("guest@example.org")).searchParams.get("token") ?? "";
  expect((await testServer.visitor().auth.verifyOtp({ token_hash, type: "invite" })).data.session).not.toBe(
    null,
  );
});

test("a redirect from a provider without a pending sign-in leads to the site with an error", async () => {
  for (const [query, code] of [
    ["", "bad_oauth_callback"],
    ["?state=forged&code=x", "bad_oauth_state"],
  ]) {
    const { status, headers } = await testServer.request("GET", `/callback${query}`);
    const url = new URL(headers.get("location") ?? "");
    expect([status, url.origin, url.searchParams.get("error_code")]).toEqual([303, "http://site.test", code]);
    expect(url.hash).toContain(`error_code=${code}`);
  }
});

test("disabled features respond as in the hosted service", async () => {
  const token = testServer.serviceRoleKey;
  for (const [method, path, status, code] of [
    ["GET", "/authorize?provider=github", 400, "validation_failed"],
    ["POST", "/sso", 404, "saml_provider_disabled"],
    ["GET", "/sso/saml/metadata", 404, "saml_provider_disabled"],
    ["POST", "/sso/saml/acs", 404, "saml_provider_disabled"],
    ["GET", "/user/identities/authorize?provider=github", 404, "manual_linking_disabled"],
    ["POST", "/token?grant_type=web3", 422, "web3_provider_disabled"],
    ["GET", "/admin/oauth/clients", 404, "feature_disabled"],
    ["GET", "/.well-known/oauth-authorization-server", 404, "feature_disabled"],
    ["POST", "/passkeys/authentication/options", 404, "passkey_disabled"],
    ["GET", "/nowhere", 404, "not_found"],
  ] as const) {
    const answer = await testServer.request(method, path, { token });
    expect([path, answer.status, answer.body.error_code]).toEqual([path, status, code]);
  }
});

test("whoever verifies access tokens finds the keys by discovery, without an API key or the OAuth server", async () => {
  const { status, body } = await testServer.request("GET", "/.well-known/openid-configuration", {
    headers: { apikey: "" },
  });
  const issuer = "http://backend.test/auth/v1";
  expect([status, body]).toMatchObject([200, { issuer, jwks_uri: `${issuer}/.well-known/jwks.json` }]);
});

test("without providers, ID tokens are refused with the hosted service's errors", async () => {
  const { auth } = testServer.visitor();
  const google = await auth.signInWithIdToken({ provider: "google", token: "a.b.c" });
  expect(google.error).toMatchObject({
    status: 400,
    code: "provider_disabled",
    message: 'Provider (issuer "https://accounts.google.com") is not enabled',
  });
  const custom = await auth.signInWithIdToken({ provider: "elsewhere", token: "a.b.c" });
  expect(custom.error?.message).toBe('Custom OIDC provider "elsewhere" not allowed');
  const nameless = await testServer.request("POST", "/token?grant_type=id_token", {
    body: { id_token: "x" },
  });
  expect(nameless).toMatchObject({
    status: 400,
    body: { error: "invalid request", error_description: "provider or client_id and issuer required" },
  });
});

describe("a changed address", () => {
  const make = async (fields: Record<string, unknown>) => {
    const { data, error } = await admin.createUser({ password: PASSWORD, ...fields });
    expect(error).toBe(null);
    return data.user?.id as string;
  };
  const identitiesOf = (id: string) =>
    testServer.query(
      "select provider, identity_data from auth.identities where user_id = $1 order by provider",
      [id],
    );

  test("is also the identity's, which a first number gets", async () => {
    const id = await make({ email: "moving@example.org", email_confirm: true, phone: "4915112340001" });
    await admin.updateUserById(id, { email: "moved@example.org", phone: "4915112340002" });
    expect(await identitiesOf(id)).toMatchObject([
      { provider: "email", identity_data: { email: "moved@example.org", email_verified: true } },
      { provider: "phone", identity_data: { phone: "4915112340002", phone_verified: false } },
    ]);
    const other = await make({ email: "phoneless@example.org" });
    const { data } = await admin.updateUserById(other, { phone: "4915112340003", phone_confirm: true });
    expect(data.user?.app_metadata.providers).toEqual(["email", "phone"]);
    expect(await identitiesOf(other)).toMatchObject([
      { provider: "email" },
      { provider: "phone", identity_data: { phone: "4915112340003", phone_verified: true } },
    ]);
  });

  test("ends codes sent to the former number, and a change of number that was pending", async () => {
    const id = await make({ phone: "4915112340004", phone_confirm: true });
    await testServer.query(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
       values (gen_random_uuid(), $1, 'confirmation_token', 'x', '4915112340004', now(), now()),
         (gen_random_uuid(), $1, 'phone_change_token', 'y', '4915112340005', now(), now())`,
      [id],
    );
    await testServer.query("update auth.users set phone_change = '4915112340005' where id = $1", [id]);
    await admin.updateUserById(id, { phone: "4915112340006" });
    expect(await testServer.query("select from auth.one_time_tokens where user_id = $1", [id])).toEqual([]);
    expect(await testServer.query("select phone, phone_change from auth.users where id = $1", [id])).toEqual([
      { phone: "4915112340006", phone_change: "" },
    ]);
  });

  test("does not confirm a sign-up, unless the operator says so", async () => {
    const id = await make({ email: "typo@example.org" });
    const { data } = await admin.updateUserById(id, { email: "right@example.org" });
    expect(data.user).not.toHaveProperty("email_confirmed_at");
    expect(await identitiesOf(id)).toMatchObject([{ identity_data: { email_verified: false } }]);
    const confirmed = await admin.updateUserById(id, { email_confirm: true });
    expect(confirmed.data.user?.email_confirmed_at).toBeTruthy();
    expect(await identitiesOf(id)).toMatchObject([{ identity_data: { email_verified: true } }]);
  });
});
