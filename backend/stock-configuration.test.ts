import { AuthClient, createClient } from "@supabase/supabase-js";
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  jwtVerify,
} from "jose";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { catchMails, type MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { readServiceSettings } from "./configuration/service-settings.ts";
import { serveStandalone } from "./standalone/serve-standalone.ts";

const secret = "a stock secret of at least thirty-two characters";
let database: TestDatabase;
let mails: MailCatcher;
let stock: ServerProcess;

/** Only the variables in the original's example configuration. */
function stockEnvironment(): Record<string, string> {
  return {
    GOTRUE_JWT_SECRET: secret,
    GOTRUE_JWT_EXP: "3600",
    GOTRUE_JWT_AUD: "people",
    GOTRUE_JWT_DEFAULT_GROUP_NAME: "authenticated",
    GOTRUE_JWT_ADMIN_ROLES: "supabase_admin,harbor_master",
    GOTRUE_DB_DRIVER: "postgres",
    DB_NAMESPACE: "auth",
    GOTRUE_DB_AUTOMIGRATE: "true",
    DATABASE_URL: database.authUrl,
    API_EXTERNAL_URL: "http://localhost:9999",
    GOTRUE_API_HOST: "localhost",
    PORT: "0",
    GOTRUE_LOG_LEVEL: "warn",
    GOTRUE_SITE_URL: "https://site.example",
    GOTRUE_URI_ALLOW_LIST: "http://localhost:3000,https://*.site.example",
    GOTRUE_DISABLE_SIGNUP: "false",
    GOTRUE_EXTERNAL_EMAIL_ENABLED: "true",
    GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
    GOTRUE_SMTP_HOST: "127.0.0.1",
    GOTRUE_SMTP_PORT: String(mails.port),
    GOTRUE_SMTP_USER: "",
    GOTRUE_SMTP_PASS: "",
    GOTRUE_SMTP_MAX_FREQUENCY: "5s",
    GOTRUE_SMTP_ADMIN_EMAIL: "no-reply@site.example",
    GOTRUE_SMTP_SENDER_NAME: "Harbor",
    GOTRUE_MAILER_AUTOCONFIRM: "true",
    GOTRUE_MAILER_URLPATHS_CONFIRMATION: "/verify",
    GOTRUE_MAILER_URLPATHS_INVITE: "/verify",
    GOTRUE_MAILER_URLPATHS_RECOVERY: "/accounts/verify",
    GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE: "/verify",
    GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: "true",
    GOTRUE_SMS_AUTOCONFIRM: "true",
    GOTRUE_SMS_MAX_FREQUENCY: "5s",
    GOTRUE_SMS_OTP_EXP: "6000",
    GOTRUE_SMS_OTP_LENGTH: "6",
    GOTRUE_SMS_PROVIDER: "twilio",
    GOTRUE_SMS_TWILIO_ACCOUNT_SID: "account",
    GOTRUE_SMS_TWILIO_AUTH_TOKEN: "token",
    GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: "service",
    GOTRUE_SMS_TEMPLATE: "Your code is {{ .Code }} .",
    GOTRUE_SMS_TEST_OTP: "15550100:123456",
    GOTRUE_SECURITY_CAPTCHA_ENABLED: "false",
    GOTRUE_SECURITY_CAPTCHA_PROVIDER: "hcaptcha",
    GOTRUE_SECURITY_CAPTCHA_SECRET: "0x0000000000000000000000000000000000000000",
    GOTRUE_SECURITY_CAPTCHA_TIMEOUT: "10s",
    GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: "true",
    GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: "0",
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: "false",
    GOTRUE_RATE_LIMIT_HEADER: "X-Forwarded-For",
    GOTRUE_RATE_LIMIT_EMAIL_SENT: "100",
    GOTRUE_OPERATOR_TOKEN: "unused",
    GOTRUE_TRACING_ENABLED: "true",
    GOTRUE_MAX_VERIFIED_FACTORS: "10",
  };
}

beforeAll(async () => {
  [database, mails] = await Promise.all([createTestDatabase(), catchMails()]);
  stock = await startServer({ command: [process.execPath, "backend/main.ts"], env: stockEnvironment() });
});
afterAll(async () => {
  await stock?.stop();
  await mails.close();
  await database.drop();
});

/** The official client, talking to the service at its own root paths. */
function visitor(url = stock.address, headers: Record<string, string> = {}) {
  return new AuthClient({ url, headers, autoRefreshToken: false, persistSession: false });
}

test("it reports variables without effect, and nothing else", () => {
  const unread = stock.output().match(/^\w+ is set .*$/gm) ?? [];
  expect(unread.map((line) => line.split(" ", 1)[0]).sort()).toEqual([
    "GOTRUE_DB_AUTOMIGRATE",
    "GOTRUE_MAX_VERIFIED_FACTORS",
    "GOTRUE_OPERATOR_TOKEN",
    "GOTRUE_TRACING_ENABLED",
  ]);
});

test("users sign up, sign in and refresh; a refresh token is spent once its successor was used", async () => {
  const auth = visitor();
  const { data } = await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const first = data.session;
  expect(decodeJwt(first?.access_token ?? "")).toMatchObject({
    iss: "http://localhost:9999",
    aud: "people",
    role: "authenticated",
  });
  expect(data.user?.aud).toBe("people");
  const refreshed = await auth.refreshSession();
  expect(refreshed.data.user?.email).toBe("ann@example.org");
  expect((await auth.refreshSession()).error).toBe(null);
  const again = await visitor().refreshSession({ refresh_token: first?.refresh_token ?? "" });
  expect(again.error?.code).toBe("refresh_token_already_used");
  const elsewhere = createClient(stock.address, "any key").auth;
  const signedIn = await elsewhere.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  expect(signedIn.error).toBe(null);
});

test("only tokens of an admin role manage accounts", async () => {
  const listAs = async (role: string) => {
    const token = await signToken({ role }, secret);
    return visitor(stock.address, { authorization: `Bearer ${token}` }).admin.listUsers();
  };
  expect((await listAs("harbor_master")).data).toMatchObject({ aud: "people" });
  expect((await listAs("supabase_admin")).error).toBe(null);
  for (const role of ["service_role", "authenticated"])
    expect((await listAs(role)).error?.code).toBe("not_admin");
});

test("a password recovery link signs in and redirects as requested", async () => {
  const auth = visitor();
  await auth.signUp({ email: "bea@example.org", password: PASSWORD });
  await auth.resetPasswordForEmail("bea@example.org", { redirectTo: "https://www.site.example" });
  const text = await mails.mailTo("bea@example.org");
  const link = new URL(/^http\S+$/m.exec(text)?.[0] ?? "");
  expect(link.href).toMatch(/^http:\/\/localhost:9999\/accounts\/verify\?token=/);
  const opened = await fetch(`${stock.address}/verify${link.search}`, { redirect: "manual" });
  expect(opened.headers.get("location")).toMatch(/^https:\/\/www\.site\.example\/#access_token=/);
});

test("an external address with a final slash leads to the same paths, and is the issuer as written", async () => {
  const changes = { GOTRUE_OAUTH_SERVER_ENABLED: "true", GOTRUE_MAILER_URLPATHS_RECOVERY: "" };
  const url = await serve({ ...changes, API_EXTERNAL_URL: "http://localhost:9999/" });
  const described = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
  expect(described).toMatchObject({
    issuer: "http://localhost:9999/",
    token_endpoint: "http://localhost:9999/oauth/token",
  });
  const auth = visitor(url);
  const { data } = await auth.signUp({ email: "ida@example.org", password: PASSWORD });
  expect(decodeJwt(data.session?.access_token ?? "").iss).toBe("http://localhost:9999/");
  expect((await auth.getUser()).error).toBe(null);
  const token = await signToken({ role: "supabase_admin" }, secret);
  const { admin } = visitor(url, { authorization: `Bearer ${token}` });
  const link = await admin.generateLink({ type: "magiclink", email: "ida@example.org" });
  expect(link.data.properties?.action_link).toMatch(/^http:\/\/localhost:9999\/verify\?token=/);
});

test("codes by email and by text message sign in", async () => {
  const byMail = visitor();
  await byMail.signInWithOtp({ email: "cleo@example.org" });
  const code = /^(?:Or enter this code: )?(\d{6})$/m.exec(await mails.mailTo("cleo@example.org"))?.[1];
  const mailed = await byMail.verifyOtp({ email: "cleo@example.org", token: code ?? "", type: "email" });
  expect(mailed.data.user?.email).toBe("cleo@example.org");
  const byText = visitor();
  await byText.signInWithOtp({ phone: "15550100" });
  const texted = await byText.verifyOtp({ phone: "15550100", token: "123456", type: "sms" });
  expect(texted.data.user?.phone).toBe("15550100");
});

/** Starts the service in this process with changed settings. */
async function serve(changes: Record<string, string>) {
  const settings = readServiceSettings({ ...stockEnvironment(), ...changes });
  const backend = await serveStandalone(settings, () => {});
  onTestFinished(() => backend.close());
  return backend.url;
}

async function keyFor(alg: string, operation: "sign" | "verify"): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, kid: alg, key_ops: [operation] };
}

test.each(["RS256", "ES256", "EdDSA"])("a %s key signs, and its public part verifies", async (alg) => {
  const keys = [await keyFor(alg, "sign"), { kty: "oct", k: "c2VjcmV0", kid: "old", key_ops: ["verify"] }];
  const url = await serve({ GOTRUE_JWT_KEYS: JSON.stringify(keys) });
  const published = await (await fetch(`${url}/.well-known/jwks.json`)).json();
  expect(published.keys).toHaveLength(1);
  expect(JSON.stringify(published)).not.toMatch(/"(d|k)"/);
  const auth = visitor(url);
  const { data } = await auth.signUp({ email: `${alg}@example.org`, password: PASSWORD });
  const token = data.session?.access_token ?? "";
  expect(decodeProtectedHeader(token)).toEqual({ alg, kid: alg, typ: "JWT" });
  expect((await auth.getUser()).data.user?.email).toBe(`${alg.toLowerCase()}@example.org`);
  await jwtVerify(token, createLocalJWKSet(published));
  // The official client does not support EdDSA.
  if (alg !== "EdDSA") expect((await auth.getClaims()).data?.claims.sub).toBe(data.user?.id);
});

test("a symmetric key can sign, older ones verify, and only listed algorithms are accepted", async () => {
  const k = (text: string) => Buffer.from(text).toString("base64url");
  const keys = [
    { kty: "oct", k: k("the newer of two secrets, long enough"), kid: "new", key_ops: ["sign"] },
    { kty: "oct", k: k("the older of two secrets, long enough"), kid: "old", key_ops: ["verify"] },
  ];
  const changes = { GOTRUE_JWT_KEYS: JSON.stringify({ keys }), GOTRUE_JWT_ISSUER: "https://issuer.example" };
  const auth = visitor(await serve(changes));
  const { data } = await auth.signUp({ email: "dot@example.org", password: PASSWORD });
  const token = data.session?.access_token ?? "";
  expect([decodeProtectedHeader(token).kid, decodeJwt(token).iss]).toEqual(["new", "https://issuer.example"]);
  expect((await auth.getUser()).error).toBe(null);
  const older = await signToken(decodeJwt(token), "the older of two secrets, long enough");
  expect((await auth.getUser(older)).error).toBe(null);
  const foreign = await signToken(decodeJwt(token), "neither of the two secrets, long enough");
  expect((await auth.getUser(foreign)).error?.code).toBe("bad_jwt");

  const signing = JSON.stringify([await keyFor("ES256", "sign")]);
  const strict = visitor(await serve({ GOTRUE_JWT_KEYS: signing, GOTRUE_JWT_VALIDMETHODS: "ES256" }));
  expect((await strict.signUp({ email: "eve@example.org", password: PASSWORD })).error).toBe(null);
  expect((await strict.getUser()).error).toBe(null);
  const { data: own } = await strict.getSession();
  const byTheSecret = await signToken(decodeJwt(own.session?.access_token ?? ""), secret);
  expect((await strict.getUser(byTheSecret)).error?.code).toBe("bad_jwt");
});

test.each([
  [{ GOTRUE_JWT_SECRET: "" }, "GOTRUE_JWT_SECRET must be set"],
  [{ GOTRUE_JWT_KEYS: "[]" }, "GOTRUE_JWT_KEYS must have exactly one key whose key_ops has sign."],
  [{ GOTRUE_JWT_KEYS: "{" }, "GOTRUE_JWT_KEYS must be a list of JSON Web Keys."],
  [{ GOTRUE_JWT_VALIDMETHODS: "none" }, "GOTRUE_JWT_VALIDMETHODS must list some of"],
  [
    { GOTRUE_JWT_VALIDMETHODS: "RS256" },
    "GOTRUE_JWT_VALIDMETHODS must list HS256, by which tokens are signed.",
  ],
  [{ GOTRUE_DB_DRIVER: "mysql" }, "GOTRUE_DB_DRIVER must be one of postgres."],
  [{ DB_NAMESPACE: "people" }, "DB_NAMESPACE must be one of auth."],
  [{ GOTRUE_LOG_LEVEL: "loud" }, "GOTRUE_LOG_LEVEL must be one of panic"],
  [{ API_EXTERNAL_URL: "" }, "API_EXTERNAL_URL must be set where accounts are served, as an address."],
  [
    { STORAGE_BACKEND: "s3", S3_BUCKET: "b", STORAGE_FILE_BACKEND_PATH: "/x" },
    "STORAGE_BACKEND needs PGRST_DB_URI",
  ],
  [{ REALTIME_ENABLED: "true" }, "REALTIME_ENABLED needs PGRST_DB_URI"],
  [
    { PGRST_DB_URI: "postgres:///x", PGRST_JWT_SECRET: "another secret of at least thirty-two characters" },
    "GOTRUE_JWT_SECRET must be the same as PGRST_JWT_SECRET.",
  ],
])("startup fails with %j", (changes, sentence) => {
  expect(() => readServiceSettings({ ...stockEnvironment(), ...(changes as object) })).toThrow(sentence);
});

test("an invalid key is refused before it signs anything", async () => {
  const { d: _, ...half } = await keyFor("ES256", "sign");
  const GOTRUE_JWT_KEYS = JSON.stringify([half]);
  expect(() => readServiceSettings({ ...stockEnvironment(), GOTRUE_JWT_KEYS })).toThrow(
    "GOTRUE_JWT_KEYS holds a key that is broken, or that misses what it needs to sign.",
  );
});

test("a short secret is accepted with a warning that does not reveal it", () => {
  const { notes } = readServiceSettings({ ...stockEnvironment(), GOTRUE_JWT_SECRET: "testsecret" });
  expect(notes).toEqual([
    expect.stringMatching(/^GOTRUE_JWT_SECRET has fewer than 32 characters: (?!.*testsecret)/),
  ]);
});

test("a missing proxy header for addresses is reported", () => {
  const { notes } = readServiceSettings({ ...stockEnvironment(), GOTRUE_RATE_LIMIT_HEADER: "" });
  expect(notes).toEqual([expect.stringMatching(/^GOTRUE_RATE_LIMIT_HEADER is not set: /)]);
});

test("on its own it listens and logs like the original", () => {
  const { PORT: _, GOTRUE_API_HOST: __, GOTRUE_LOG_LEVEL: ___, ...environment } = stockEnvironment();
  expect(readServiceSettings({ ...environment, GOTRUE_LOG_LEVEL: "DEBUG" }).logLevel).toBe("debug");
  expect(readServiceSettings(environment)).toMatchObject({ port: 8081, host: undefined, logLevel: "info" });
  const beside = { ...environment, GOTRUE_DB_DATABASE_URL: "postgres:///a", PGRST_DB_URI: "postgres:///r" };
  expect(readServiceSettings(beside)).toMatchObject({ port: 3000, logLevel: "error" });
});

test("the hourly email limit applies to all callers, whether an account exists or not", async () => {
  const changes = {
    GOTRUE_RATE_LIMIT_EMAIL_SENT: "2",
    GOTRUE_SMTP_MAX_FREQUENCY: "1s",
    DATABASE_URL: (await ownDatabase()).authUrl,
  };
  const auth = visitor(await serve(changes));
  const ask = async (name: string) => (await auth.resetPasswordForEmail(`${name}@example.org`)).error?.code;
  expect(await ask("nobody")).toBeUndefined();
  expect(await ask("nobody-else")).toBeUndefined();
  expect(await ask("somebody")).toBe("over_email_send_rate_limit");
});

test("the limit for codes also applies to sign-ups, per network reported by the proxy", async () => {
  const changes = { GOTRUE_RATE_LIMIT_OTP: "1", DATABASE_URL: (await ownDatabase()).authUrl };
  const url = await serve(changes);
  const from = (address: string) => visitor(url, { "x-forwarded-for": address });
  const signUp = async (name: string, address: string) =>
    (await from(address).signUp({ email: `${name}@example.org`, password: PASSWORD })).error?.code;
  expect(await signUp("one", "198.51.100.1")).toBeUndefined();
  expect(await signUp("two", "198.51.100.1")).toBe("over_request_rate_limit");
  expect(await signUp("three", "198.51.100.2")).toBeUndefined();
});

test("without rotation, a reused refresh token is refused but ends no session", async () => {
  const url = await serve({ GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: "false" });
  const auth = visitor(url);
  const { data } = await auth.signUp({ email: "fay@example.org", password: PASSWORD });
  await auth.refreshSession();
  await auth.refreshSession();
  const spent = await visitor(url).refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
  expect(spent.error?.code).toBe("refresh_token_already_used");
  expect((await auth.refreshSession()).error).toBe(null);
});

test("a test number's code is valid until the configured date", async () => {
  const over = { GOTRUE_SMS_TEST_OTP_VALID_UNTIL: "2020-01-01T00:00:00Z", GOTRUE_SMS_PROVIDER: "" };
  const auth = visitor(await serve(over));
  const { error } = await auth.signInWithOtp({ phone: "15550100" });
  expect(error?.code).toBe("phone_provider_disabled");
});

async function ownDatabase(): Promise<TestDatabase> {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  return own;
}
