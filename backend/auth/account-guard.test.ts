import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthTestServer, codeIn, linkIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { createAuthenticator } from "#tests/helpers/auth/software-authenticator.ts";
import { routes } from "./endpoints/routes.ts";
import type { TextMessage } from "./messages/sms-hook.ts";
import { defaultAuthConfig } from "./service/auth-config.ts";

const SITE = "https://site.test";
const NEW = `${PASSWORD}2`;
let testServer: AuthTestServer;
let people = 0;
const texts: TextMessage[] = [];

beforeAll(async () => {
  testServer = await openAuth({
    siteUrl: SITE,
    passkeysEnabled: true,
    recoveryCodes: true,
    manualLinking: true,
    phoneEnabled: true,
    smsAutoconfirm: true,
    sms: { send: async (text) => void texts.push(text) },
    oauthServer: true,
    accountGuard: { proofSeconds: 600, undoPage: `${SITE}/auth` },
    limits: { ...defaultAuthConfig.limits, accountSend: { points: 9, seconds: 60 } },
  });
});
afterAll(() => testServer.close());

async function join() {
  const email = `owner${++people}@example.org`;
  const browser = testServer.visitor();
  const { data } = await browser.auth.signUp({ email, password: PASSWORD });
  return { email, browser, id: data.user?.id as string, token: data.session?.access_token as string };
}

/** Backdates everything that proved the sessions by eleven minutes. */
const age = (id: string) =>
  testServer.query(
    `update auth.mfa_amr_claims set updated_at = updated_at - interval '11 min'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [id],
  );

type Browser = Awaited<ReturnType<typeof join>>["browser"];

async function addPasskey(browser: Browser) {
  const key = createAuthenticator(SITE);
  const { data, error } = await browser.auth.passkey.startRegistration();
  if (error) return { key, error };
  const credential = key.create(data.options as never) as never;
  return {
    key,
    ...(await browser.auth.passkey.verifyRegistration({ challengeId: data.challenge_id, credential })),
  };
}

async function opensWith(key: ReturnType<typeof createAuthenticator>): Promise<boolean> {
  const browser = testServer.visitor();
  const { data } = await browser.auth.passkey.startAuthentication();
  const credential = key.get(data?.options as never) as never;
  const challengeId = data?.challenge_id as string;
  return (await browser.auth.passkey.verifyAuthentication({ challengeId, credential })).error === null;
}

async function addFactor(browser: Browser) {
  const { data } = await browser.auth.mfa.enroll({ factorType: "totp", friendlyName: "App" });
  if (!data) throw new Error("no factor");
  const totp = new TOTP({ secret: Secret.fromBase32(data.totp.secret) });
  return { id: data.id, verify: () => verifyFactor(browser, data.id, totp) };
}

const verifyFactor = (browser: Browser, factorId: string, totp: TOTP) =>
  browser.auth.mfa.challengeAndVerify({ factorId, code: totp.generate() });

const signIn = async (email: string, password: string) =>
  (await testServer.visitor().auth.signInWithPassword({ email, password })).error?.code ?? "in";

/** The token in the link of a notice. */
const undoTokenIn = async (to: string, subject: RegExp) => {
  await testServer.mailTo(to);
  const notice = testServer.mails.findLast((mail) => mail.to === to && subject.test(mail.subject));
  return new URLSearchParams(linkIn(notice as never).hash.slice(1)).get("way_back") ?? "";
};

async function takeBack(token_hash: string) {
  const browser = testServer.visitor();
  return { browser, ...(await browser.auth.verifyOtp({ token_hash, type: "recovery" })) };
}

/** How many rows each table of the service has of an account, by the column that refers to it. */
async function rowsOwnedBy(id: string): Promise<{ place: string; count: number }[]> {
  const references = await testServer.query(
    `select conrelid::regclass || '.' || attname as place, format('%s where %I', conrelid::regclass, attname) as rows
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
     where contype = 'f' and confrelid = 'auth.users'::regclass
       and connamespace in ('auth'::regnamespace, 'backend'::regnamespace)
     order by 1`,
  );
  const counts: { place: string; count: number }[] = [];
  for (const { place, rows } of references) {
    const { length: count } = await testServer.query(`select from ${rows} = $1`, [id]);
    counts.push({ place: String(place), count });
  }
  return counts;
}

const grantApplication = (id: string) =>
  testServer.query(
    `with application as (
       insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method)
         values (gen_random_uuid(), 'manual', 'https://a.test/', 'authorization_code', 'none') returning id
     ), asked as (
       insert into auth.oauth_authorizations (id, authorization_id, client_id, user_id, redirect_uri, scope)
         select gen_random_uuid(), id::text, id, $1::uuid, 'https://a.test/', 'email' from application
     )
     insert into auth.oauth_consents (id, user_id, client_id, scopes)
       select gen_random_uuid(), $1::uuid, id, 'email' from application`,
    [id],
  );

describe("a token whose last proof is too old", () => {
  /** Requests that need no recent proof; all others that a user may send must be refused without it. */
  const NEEDS_NO_PROOF = [
    "GET /user",
    "POST /logout",
    "GET /reauthenticate",
    "POST /factors/{id}/challenge",
    "POST /factors/{id}/verify",
    "DELETE /factors/{id}",
    "GET /factors/recovery-codes",
    "GET /passkeys",
    "PATCH /passkeys/{passkey}",
    "GET /oauth/authorizations/{id}",
    "GET /user/oauth/grants",
    "DELETE /user/oauth/grants",
    "GET /oauth/userinfo",
    "POST /oauth/userinfo",
  ];
  /** Endpoints that take no user's token: for servers with the secret key, and for signing in. */
  const NOBODYS =
    /\/admin\/|\/invite|\/clients\/register|\/token|\/signup|\/otp|\/magiclink|\/recover$|\/resend|\/verify$|\/sso|\/callback|\/authorize$|authentication|\/health|\/settings|well-known/;

  test.each(
    Object.keys(routes).filter(
      (row) => !NEEDS_NO_PROOF.includes(row) && (!NOBODYS.test(row) || /registration|identities/.test(row)),
    ),
  )("is not accepted by %s", async (row) => {
    const { id, token } = await join();
    await age(id);
    const [method = "", path = ""] = row.split(" ");
    const body = { password: NEW, factor_type: "totp", friendly_name: "x", action: "approve" };
    const answer = await testServer.request(method, path.replace(/\{\w+\}/g, crypto.randomUUID()), {
      token,
      // The random ids match no row: the proof is required before the lookup.
      ...(method === "GET" || method === "DELETE" ? {} : { body }),
    });
    const isLast = answer.body.error_code === "single_identity_not_deletable";
    expect(isLast ? "reauthentication_needed" : answer.body.error_code).toBe("reauthentication_needed");
  });

  test.each([{ password: NEW }, { email: "thief@example.org" }, { phone: "15550199" }])(
    "does not change %j, nor anything else in the same request",
    async (wish) => {
      const { id, email, browser } = await join();
      await age(id);
      const { error } = await browser.auth.updateUser({ ...wish, data: { seen: true } });
      expect(error).toMatchObject({ status: 400, code: "reauthentication_needed" });
      expect((await browser.auth.getUser()).data.user).toMatchObject({ email, phone: "", user_metadata: {} });
      expect(await signIn(email, PASSWORD)).toBe("in");
    },
  );

  test("may change data, and with a mailed code, once, anything else", async () => {
    const { id, email, browser } = await join();
    await age(id);
    expect((await browser.auth.updateUser({ data: { a: 1 } })).error).toBe(null);
    await browser.auth.reauthenticate();
    const nonce = codeIn(await testServer.mailTo(email));
    expect((await browser.auth.updateUser({ password: NEW, nonce: "000000" })).error?.code).toBe(
      "reauthentication_not_valid",
    );
    expect((await browser.auth.getUser()).data.user).toHaveProperty("reauthentication_sent_at");
    expect((await browser.auth.updateUser({ phone: "15550143", nonce })).error).toBe(null);
    expect((await browser.auth.getUser()).data.user).not.toHaveProperty("reauthentication_sent_at");
    expect((await browser.auth.updateUser({ password: PASSWORD, nonce })).error?.code).toBe(
      "reauthentication_not_valid",
    );
  });

  test("keeps a mailed code when the change is refused, and makes one change with it, even of two at once", async () => {
    const { id, email, browser } = await join();
    await age(id);
    await browser.auth.reauthenticate();
    const nonce = codeIn(await testServer.mailTo(email));
    const change = async (wish: object) =>
      (await browser.auth.updateUser({ ...wish, nonce })).error?.code ?? "changed";
    const other = (await join()).email;
    expect(await change({ password: PASSWORD })).toBe("same_password");
    expect(await change({ email: other })).toBe("email_exists");
    const both = [change({ phone: "15550171" }), change({ phone: "15550172" })];
    expect((await Promise.all(both)).sort()).toEqual(["changed", "reauthentication_not_valid"]);
  });

  test("cannot verify a factor enrolled in time; a new sign-in can", async () => {
    const { id, email, browser } = await join();
    const factor = await addFactor(browser);
    await age(id);
    expect((await factor.verify()).error?.code).toBe("reauthentication_needed");
    await browser.auth.signInWithPassword({ email, password: PASSWORD });
    expect((await factor.verify()).error).toBe(null);
    await age(id);
    expect((await browser.auth.mfa.unenroll({ factorId: factor.id })).error?.code).toBe(
      "reauthentication_needed",
    );
    expect((await browser.auth.updateUser({ password: NEW })).error?.code).toBe("reauthentication_needed");
  });
});

describe("the old address", () => {
  test("is notified of a new address and password changed together, and takes the account back, once", async () => {
    const { id, email, browser } = await join();
    const other = `thief${id.slice(0, 8)}@example.org`;
    expect((await browser.auth.updateUser({ email: other, password: NEW })).error).toBe(null);
    const { key } = await addPasskey(browser);
    const notice = await testServer.mailTo(email, 2);
    expect(testServer.mails.filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
      "The password of your account at Harbor was changed",
      "The email address of your account at Harbor was changed",
    ]);
    expect(notice.text).toContain(`is now ${other}.`);
    const token = await undoTokenIn(email, /address/);

    const back = await takeBack(token);
    expect(back.error).toBe(null);
    expect(back.data.user).toMatchObject({ id, email });
    expect((await browser.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    expect(await opensWith(key)).toBe(false);
    expect(await signIn(email, NEW)).toBe("invalid_credentials");
    expect((await back.browser.auth.updateUser({ password: `${PASSWORD}3` })).error).toBe(null);
    expect(await signIn(email, `${PASSWORD}3`)).toBe("in");
    expect((await takeBack(token)).error?.code).toBe("otp_expired");
    expect((await takeBack(await undoTokenIn(other, /passkey/))).error?.code).toBe("otp_expired");
  });

  test("can take the account back for seven days; a later link does not invalidate an earlier one", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ password: NEW });
    const first = await undoTokenIn(email, /password/);
    const other = `later${id.slice(0, 8)}@example.org`;
    await browser.auth.updateUser({ email: other });
    await browser.auth.updateUser({ password: PASSWORD });
    const later = await undoTokenIn(other, /password/);
    expect((await takeBack(later)).data.user?.email).toBe(other);
    await testServer.query(
      "update backend.ways_back set made_at = now() - interval '7 days' + interval '1 min'",
    );
    expect((await takeBack(first)).data.user?.email).toBe(email);

    const slow = await join();
    await slow.browser.auth.updateUser({ password: NEW });
    const old = await undoTokenIn(slow.email, /password/);
    await testServer.query("update backend.ways_back set made_at = now() - interval '7 days 1 min'");
    expect((await takeBack(old)).error?.code).toBe("otp_expired");
  });

  test("takes its account back from whoever signed up with it meanwhile, and the number with it", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ phone: "15550150" });
    const other = `thief${id.slice(0, 8)}@example.org`;
    await browser.auth.updateUser({ email: other });
    const token = await undoTokenIn(email, /address/);
    await browser.auth.updateUser({ phone: "15550151" });
    const blocker = testServer.visitor();
    const { data } = await blocker.auth.signUp({ email, password: PASSWORD });
    // Has not confirmed the number.
    await testServer.server.auth.admin.createUser({ phone: "15550150", password: PASSWORD });

    const back = await takeBack(token);
    expect(back.data.user).toMatchObject({ id, email, phone: "15550150" });
    const [left] = await testServer.query(
      "select email, encrypted_password, raw_app_meta_data -> 'providers' as providers from auth.users where id = $1",
      [data.user?.id],
    );
    expect(left).toEqual({ email: null, encrypted_password: null, providers: null });
    expect((await blocker.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    expect(await signIn(email, PASSWORD)).toBe("invalid_credentials");
  });

  test("leaves an account its password and sessions that is reached by a passkey", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ email: `thief${id.slice(0, 8)}@example.org` });
    const token = await undoTokenIn(email, /address/);
    const other = testServer.visitor();
    await other.auth.signUp({ email, password: PASSWORD });
    const { key } = await addPasskey(other);
    expect((await takeBack(token)).data.user?.email).toBe(email);
    expect((await other.auth.getUser()).data.user?.email).toBe("");
    expect(await opensWith(key)).toBe(true);
  });

  test("does not take an address or number from an account that has proved it", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ phone: "15550152" });
    await browser.auth.updateUser({ email: `thief${id.slice(0, 8)}@example.org` });
    const token = await undoTokenIn(email, /address/);
    await browser.auth.updateUser({ phone: "15550153" });
    const { admin } = testServer.server.auth;
    const { data } = await admin.createUser({ email, email_confirm: true });
    await admin.createUser({ phone: "15550152", phone_confirm: true });
    expect((await takeBack(token)).error?.code).toBe("email_exists");

    await admin.deleteUser(data.user?.id ?? "");
    // Without its number rather than not at all.
    expect((await takeBack(token)).data.user).toMatchObject({ id, email, phone: "" });
  });

  test("cannot take a soft-deleted account back", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ password: NEW });
    const token = await undoTokenIn(email, /password/);
    await testServer.server.auth.admin.deleteUser(id, true);
    expect((await takeBack(token)).error?.code).toBe("otp_expired");
  });

  test("leaves no row of a soft-deleted account but what ended its grants to applications", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ password: NEW });
    await addPasskey(browser);
    await browser.auth.passkey.startRegistration();
    await (await addFactor(browser)).verify();
    const { session } = (await browser.auth.getSession()).data;
    await testServer.request("POST", "/factors/recovery-codes", { token: session?.access_token, body: {} });
    await browser.auth.resetPasswordForEmail(email);
    await grantApplication(id);
    // The mail's token is stored after the answer, which takes as long for an unknown address.
    await expect.poll(async () => (await rowsOwnedBy(id)).filter(({ count }) => count === 0)).toEqual([]);
    await testServer.server.auth.admin.deleteUser(id, true);
    const left = (await rowsOwnedBy(id)).filter(({ count }) => count > 0);
    // Expired and revoked; they do not name the owner.
    expect(left.map(({ place }) => place)).toEqual([
      "auth.oauth_authorizations.user_id",
      "auth.oauth_consents.user_id",
    ]);
  });

  test("cannot use a deleted account, whatever of it is left", async () => {
    const { id, email, browser } = await join();
    await browser.auth.updateUser({ password: NEW });
    const token = await undoTokenIn(email, /password/);
    await testServer.query("update auth.users set deleted_at = now() where id = $1", [id]);
    expect((await takeBack(token)).error?.code).toBe("otp_expired");
    expect((await browser.auth.getUser()).error?.code).toBe("user_banned");
    expect((await browser.auth.refreshSession()).error?.code).toBe("user_banned");
    expect(await signIn(email, NEW)).toBe("user_banned");
  });

  test("is notified of a removed passkey, which stays if no notice can be made", async () => {
    const { email, browser } = await join();
    const { key } = await addPasskey(browser);
    const passkeyId = (await browser.auth.passkey.list()).data?.[0]?.id ?? "";
    const remove = () => browser.auth.passkey.delete({ passkeyId });
    await testServer.query(
      `alter table backend.ways_back add constraint refuses check (email <> '${email}') not valid`,
    );
    expect((await remove()).error?.status).toBe(500);
    await testServer.query("alter table backend.ways_back drop constraint refuses");
    expect(await opensWith(key)).toBe(true);
    expect((await remove()).error).toBe(null);
    expect(await opensWith(key)).toBe(false);
    await testServer.mailTo(email, 2);
    expect((await takeBack(await undoTokenIn(email, /removed/))).data.user?.email).toBe(email);
  });

  test("is notified of an added factor, and removes it by taking the account back", async () => {
    const { email, browser } = await join();
    await (await addFactor(browser)).verify();
    const back = await takeBack(await undoTokenIn(email, /second factor/));
    expect(back.data.user?.factors).toBe(undefined);
  });

  test("gets its former number back, and loses one added since", async () => {
    const { email, browser } = await join();
    await browser.auth.updateUser({ phone: "15550123" });
    const back = await takeBack(await undoTokenIn(email, /phone number/));
    expect(back.data.user).toMatchObject({ phone: "" });
    expect(back.data.user?.identities?.map(({ provider }) => provider)).toEqual(["email"]);
  });

  test("without a mailbox, is notified by text message to the former number", async () => {
    const browser = testServer.visitor();
    await browser.auth.signUp({ phone: "+15550160", password: PASSWORD });
    await browser.auth.updateUser({ password: NEW });
    await addPasskey(browser);
    await (await addFactor(browser)).verify();
    await browser.auth.updateUser({ phone: "+15550161" });
    await browser.auth.updateUser({ email: "at-last@example.org" });
    await browser.auth.updateUser({ password: PASSWORD });
    // By now the account has a mailbox.
    await testServer.mailTo("at-last@example.org");
    const told = () => texts.map((text) => [text.phone, "notice" in text && text.notice].join(" ")).sort();
    const end = "If that was not you, choose a new password now.";
    await expect
      .poll(told)
      .toEqual([
        `15550160 A passkey was added to your account at Harbor. ${end}`,
        `15550160 A second factor was added to your account at Harbor. ${end}`,
        `15550160 The password of your account at Harbor was changed. ${end}`,
        `15550160 The phone number of your account at Harbor was changed. ${end}`,
        `15550161 The email address of your account at Harbor was changed. ${end}`,
      ]);
  });

  test("is sent a limited number of text messages a day", async () => {
    const browser = testServer.visitor();
    await browser.auth.signUp({ phone: "+15550162", password: PASSWORD });
    const { points } = defaultAuthConfig.limits.accountNoticeSms;
    await browser.auth.updateUser({ password: NEW });
    const count = () => texts.filter(({ phone }) => phone === "15550162").length;
    await expect.poll(count).toBe(1);
    await testServer.query("update backend.rate_limits set points = $1 where key like 'accountNoticeSms:%'", [
      points,
    ]);
    await browser.auth.updateUser({ password: PASSWORD });
    await expect.poll(() => testServer.logged.join()).toContain("over_request_rate_limit");
    expect(count()).toBe(1);
  });

  test("is also notified if both mailboxes must agree", async () => {
    const strict = await openAuth({
      mailerAutoconfirm: false,
      secureEmailChange: false,
      accountGuard: { proofSeconds: 600, undoPage: `${SITE}/auth` },
    });
    const browser = strict.visitor();
    const email = "old@example.org";
    await browser.auth.signUp({ email, password: PASSWORD });
    await browser.auth.verifyOtp({ email, token: codeIn(await strict.mailTo(email)), type: "signup" });
    await browser.auth.updateUser({ email: "new@example.org" });
    const token = codeIn(await strict.mailTo("new@example.org"));
    await browser.auth.verifyOtp({ email: "new@example.org", token, type: "email_change" });
    expect((await strict.mailTo(email, 2)).subject).toContain("was changed");
    await strict.close();
  });
});

describe("an account recovery by mail", () => {
  async function recover(email: string) {
    const browser = testServer.visitor();
    const before = testServer.mails.filter(({ to }) => to === email).length;
    await browser.auth.resetPasswordForEmail(email);
    const mail = await testServer.mailTo(email, before + 1);
    const { data } = await browser.auth.verifyOtp({ email, token: codeIn(mail), type: "recovery" });
    return { browser, session: data.session };
  }

  test("removes what was added before: a planted passkey, a number, a grant, all other sessions", async () => {
    const { id, email, browser: thief } = await join();
    const { key } = await addPasskey(thief);
    await thief.auth.updateUser({ phone: "15550142" });
    await grantApplication(id);
    await testServer.mailTo(email, 2);
    const owner = await recover(email);
    const grants = "select from auth.oauth_consents where user_id = $1 and revoked_at is null";
    // Opening the link, as a mail scanner does, must not remove anything.
    expect(await opensWith(key)).toBe(true);
    expect(await testServer.query(grants, [id])).toHaveLength(1);
    const { data } = await owner.browser.auth.updateUser({ password: NEW });
    expect(await opensWith(key)).toBe(false);
    expect(data.user).toMatchObject({ phone: "" });
    expect(await testServer.query(grants, [id])).toHaveLength(0);
    expect((await thief.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  test("still requires the second factor, and keeps what the owner adds afterwards", async () => {
    const { email, browser } = await join();
    await (await addFactor(browser)).verify();
    await testServer.mailTo(email);
    const owner = await recover(email);
    expect((await owner.browser.auth.updateUser({ password: NEW })).error?.code).toBe("insufficient_aal");

    const plain = await join();
    const again = await recover(plain.email);
    await again.browser.auth.updateUser({ password: NEW });
    const { key } = await addPasskey(again.browser);
    await again.browser.auth.updateUser({ password: `${PASSWORD}3` });
    expect(await opensWith(key)).toBe(true);
  });
});
