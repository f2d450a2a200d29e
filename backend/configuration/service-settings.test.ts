import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readServiceSettings } from "./service-settings.ts";

const PGRST_DB_URI = "postgres://authenticator:pass@localhost/app";
const secret = "a secret of at least thirty-two characters";
const read = (environment: Record<string, string>) => readServiceSettings({ PGRST_DB_URI, ...environment });

test("a database is required", () => {
  expect(() => readServiceSettings({})).toThrow(
    "PGRST_DB_URI or DATABASE_URL must name the database to serve, or GOTRUE_DB_DATABASE_URL that of the accounts.",
  );
});

test.each([
  ["PGRST_DB_URI", "mysql://x", "must be an address such as postgres://"],
  ["PGRST_DB_MAX_ROWS", "many", "must be a whole number"],
  ["PGRST_DB_MAX_ROWS", "0", "must be a whole number from 1"],
  ["PGRST_DB_POOL", "-1", "must be a whole number"],
  ["PGRST_DB_POOL_ACQUISITION_TIMEOUT", "2147484", "must be a whole number from 1 to 2147483"],
  ["PGRST_DB_POOL_MAX_IDLETIME", "2147484", "must be a whole number from 1 to 2147483"],
  ["PGRST_DB_POOL_MAX_LIFETIME", "2147484", "must be a whole number from 1 to 2147483"],
  ["PGRST_SERVER_PORT", "70000", "must be a whole number from 0 to 65535"],
  ["PGRST_DB_SCHEMAS", "api,pg_catalog", "does not allow schema pg_catalog"],
  ["PGRST_DB_SCHEMAS", "api,,other", "has an empty name"],
  ["PGRST_DB_TX_END", "perhaps", "must be one of commit, commit-allow-override"],
  ["PGRST_DB_AGGREGATES_ENABLED", "maybe", "must be true or false"],
  ["PGRST_OPENAPI_MODE", "open", "must be one of follow-privileges"],
  ["PGRST_OPENAPI_SERVER_PROXY_URI", "example.com", "must be an address such as https://"],
  ["PGRST_CLIENT_ERROR_VERBOSITY", "loud", "must be one of verbose, minimal"],
  ["PGRST_LOG_LEVEL", "all", "must be one of crit"],
  ["PGRST_JWT_SECRET", "short", "must have at least 32 characters"],
  ["PGRST_JWT_SECRET", "@/no/such/file", "names a file that cannot be read"],
  ["PGRST_JWT_SECRET", '{"no":"key, but long enough to be one"}', "neither a JSON Web Key nor a set"],
  ["PGRST_JWT_AUD", "http://[", "must be a name or a valid URI"],
  ["PGRST_JWT_ROLE_CLAIM_KEY", "role", "must be a path such as .role"],
  ["PGRST_ADMIN_SERVER_PORT", "3000", "cannot be the same as PGRST_SERVER_PORT"],
])("%s=%s is refused by name", (name, value, rule) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} .*${rule.replace(/[.[\]/]/g, "\\$&")}`));
});

test("a refused secret is not printed", () => {
  expect(() => read({ PGRST_JWT_SECRET: "hunter2" })).not.toThrow(/hunter2/);
});

test("unset variables have upstream's defaults", () => {
  expect(read({})).toMatchObject({
    databaseUrl: PGRST_DB_URI,
    pool: { size: 10, acquireTimeout: 10_000, idleTime: 30, lifetime: 1800, prepared: true, recovers: true },
    rest: {
      schemas: ["public"],
      extraSearchPath: ["public"],
      anonRole: null,
      preRequest: null,
      maxRows: null,
      transactionEnd: "commit",
      aggregates: false,
      plan: false,
      rootSpec: null,
      openapi: "follow-privileges",
      serverTiming: false,
      errorVerbosity: "verbose",
    },
    tokens: { roleClaimPath: ".role" },
    corsOrigins: null,
    host: "0.0.0.0",
    port: 3000,
    adminPort: null,
    logLevel: "error",
  });
});

test("DATABASE_URL is used if PGRST_DB_URI is not set", () => {
  expect(readServiceSettings({ DATABASE_URL: "postgres:///app" }).databaseUrl).toBe("postgres:///app");
});

test("lists are split at commas, and an empty search path stays empty", () => {
  const { rest, corsOrigins } = read({
    PGRST_DB_SCHEMAS: "api, private",
    PGRST_DB_EXTRA_SEARCH_PATH: "",
    PGRST_SERVER_CORS_ALLOWED_ORIGINS: "http://a.example, http://b.example",
  });
  expect(rest).toMatchObject({ schemas: ["api", "private"], extraSearchPath: [] });
  expect(corsOrigins).toEqual(["http://a.example", "http://b.example"]);
});

test.each([
  ["True", true],
  ["false", false],
  ["1", true],
  ["0", false],
])("a switch can be %s", (text, on) => {
  expect(read({ PGRST_DB_PLAN_ENABLED: text }).rest?.plan).toBe(on);
});

test.each([
  ["auth.check", { schema: "auth", name: "check" }],
  ["check", { schema: "", name: "check" }],
])("the pre-request function can be %s", (text, name) => {
  expect(read({ PGRST_DB_PRE_REQUEST: text }).rest?.preRequest).toEqual(name);
});

test.each([
  ["*", undefined],
  ["!4", "0.0.0.0"],
  ["*6", "::"],
  ["localhost", "localhost"],
])("host %s", (text, host) => {
  expect(read({ PGRST_SERVER_HOST: text }).host).toBe(host);
});

test("a secret is plain text, base64, or a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secret-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "secret"), `${secret}\n`);
  const base64 = Buffer.from(secret).toString("base64url");
  expect(read({ PGRST_JWT_SECRET: secret }).tokens.secret).toBe(secret);
  expect(read({ PGRST_JWT_SECRET: `@${join(folder, "secret")}` }).tokens.secret).toBe(secret);
  const decoded = read({ PGRST_JWT_SECRET: base64, PGRST_JWT_SECRET_IS_BASE64: "true" }).tokens.secret;
  expect(Buffer.from(decoded as Uint8Array).toString()).toBe(secret);
});

test("of several shared secrets in a key set, the first is the main one and the others are kept", () => {
  const oct = (text: string) => ({ kty: "oct", k: Buffer.from(text).toString("base64url") });
  const keys = [oct(secret), oct(`old ${secret}`)];
  const { tokens } = read({ PGRST_JWT_SECRET: JSON.stringify({ keys }) });
  expect(Buffer.from(tokens.secret as Uint8Array).toString()).toBe(secret);
  expect(tokens.secrets?.map((each) => Buffer.from(each).toString())).toEqual([`old ${secret}`]);
});

test("a key set is split into its shared secret and its public keys", () => {
  const rsa = { kty: "RSA", n: "AQAB", e: "AQAB", kid: "r" };
  const oct = { kty: "oct", k: Buffer.from(secret).toString("base64url") };
  const { tokens } = read({ PGRST_JWT_SECRET: JSON.stringify({ keys: [oct, rsa] }) });
  expect(Buffer.from(tokens.secret as Uint8Array).toString()).toBe(secret);
  expect(tokens.jwks).toEqual({ keys: [rsa] });
  expect(read({ PGRST_JWT_SECRET: JSON.stringify(rsa) }).tokens).toMatchObject({ jwks: { keys: [rsa] } });
});
