import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ARCHIVE_NAME } from "#server/wal-archive/receive-wal.ts";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { retryUntilPassing } from "#tests/helpers/retry.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const PASSWORD = "Correct horse 7 battery!";

let dataDir: string;
let server: ServerProcess;
let anonKey: string;
/** Values that must never appear in a log. */
const seen = new Set<string>([PASSWORD]);
let logs = "";

beforeAll(async () => {
  dataDir = readyDataDir();
  server = await start();
  anonKey = await readAnonKey(server.address);
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function start(): Promise<ServerProcess> {
  return startServer({ env: { DATA_DIR: dataDir } });
}

const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();

function visitor(): SupabaseClient {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  return createClient(server.address, anonKey, { auth: { storage, autoRefreshToken: false } });
}

async function remember(client: SupabaseClient) {
  const { session } = (await client.auth.getSession()).data;
  for (const secret of [session?.access_token, session?.refresh_token]) if (secret) seen.add(secret);
  return session;
}

test("a weak password is refused with the site's own message", async () => {
  const { error } = await visitor().auth.signUp({ email: "ann@example.org", password: "abc" });
  expect(error).toMatchObject({
    status: 422,
    code: "weak_password",
    message: "Password must be at least 12 characters",
    reasons: ["length", "characters"],
  });
});

test.each([
  ["Abcdefgh1!x", "Password must be at least 12 characters"],
  [`Aa1!${"x".repeat(125)}`, "Password must be at most 128 characters"],
  ["ABCDEFGH123!", "Password must include a lowercase letter"],
  ["abcdefgh123!", "Password must include an uppercase letter"],
  ["Abcdefghijk!", "Password must include a number"],
  ["Abcdefgh1234", "Password must include a symbol"],
])("the service itself refuses the password %s", async (password, message) => {
  const { error } = await visitor().auth.signUp({ email: "ann@example.org", password });
  expect(error).toMatchObject({ status: 422, code: "weak_password", message });
});

test.each(["abc", "a@"])("the address %s is refused with the site's own message", async (email) => {
  const { error } = await visitor().auth.signUp({ email, password: PASSWORD });
  expect(error).toMatchObject({ status: 400, message: "Please enter a valid email" });
});

test("an address of more than 255 characters is refused by the service itself", async () => {
  const email = `${"a".repeat(60)}@${"b.".repeat(92)}example.org`;
  const { error } = await visitor().auth.signUp({ email, password: PASSWORD });
  expect([email.length, error?.code]).toEqual([256, "validation_failed"]);
});

test("an account is found again after a restart; while the site is stopped, npm run admin creates another and keeps the log archive, which only a start without one ends", async () => {
  const browser = visitor();
  expect((await browser.auth.signUp({ email: "ann@example.org", password: PASSWORD })).error).toBe(null);
  const before = await remember(browser);
  await runOn(databaseUrl(), "select pg_create_physical_replication_slot($1, true)", [ARCHIVE_NAME]);
  logs += server.output();
  await server.stop();
  expect(await runAdmin("Boss@Example.org"), "it says how to choose the password").toMatch(
    /^boss@example\.org is an admin\.\nChoose the password at http:\/\/\S+type=recovery\S*\n$/,
  );
  const archived = join(dataDir, "postgres/pg_replslot", ARCHIVE_NAME);
  expect(existsSync(archived)).toBe(true);
  server = await start();
  expect(existsSync(archived)).toBe(false);
  const later = visitor();
  const { error } = await later.auth.refreshSession({ refresh_token: before?.refresh_token ?? "" });
  expect(error).toBe(null);
  const session = await remember(later);
  expect((await later.auth.getClaims(session?.access_token)).data?.header.alg).toBe("ES256");
  expect((await later.from("profiles").select("username").eq("id", session?.user.id)).data).toHaveLength(1);
});

test("no count estimates rows that the user cannot read", async () => {
  const client = visitor();
  await client.auth.signUp({ email: "counts@example.org", password: PASSWORD });
  for (const count of ["planned", "estimated"] as const) {
    const asked = client.from("deleted_chat_messages").select("id", { count, head: true });
    expect(await asked).toMatchObject({ error: null, count: 0 });
  }
});

test("a forgotten password is reset through the outbox", async () => {
  const browser = visitor();
  await browser.auth.resetPasswordForEmail("ann@example.org");
  const mail = await retryUntilPassing(() => {
    const folder = join(dataDir, "outbox");
    const [name = ""] = readdirSync(folder);
    return readFileSync(join(folder, name), "utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  });
  const token = /code: (\d{6})/.exec(mail)?.[1] ?? "";
  const hash = /token=([0-9a-f]{64})/.exec(mail)?.[1] ?? "";
  for (const secret of [token, hash]) seen.add(secret);
  expect((await browser.auth.verifyOtp({ email: "ann@example.org", token, type: "recovery" })).error).toBe(
    null,
  );
  await remember(browser);
  const password = `${PASSWORD}2`;
  expect((await browser.auth.updateUser({ password })).error).toBe(null);
  expect((await visitor().auth.signInWithPassword({ email: "ann@example.org", password })).error).toBe(null);
});

test("a second factor raises the session's level over HTTP", async () => {
  const browser = visitor();
  await browser.auth.signUp({ email: "ben@example.org", password: PASSWORD });
  const { data } = await browser.auth.mfa.enroll({ factorType: "totp" });
  const secret = data?.totp.secret ?? "";
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await browser.auth.mfa.challengeAndVerify({ factorId: data?.id ?? "", code })).error).toBe(null);
  expect((await browser.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
  for (const shown of [secret, code]) seen.add(shown);
  await remember(browser);
});

test("npm run admin makes a user an admin while the site runs", async () => {
  await expect(runAdmin("ann@example.org")).rejects.toThrow(
    /ann@example\.org has had an account since \d{4}-\d\d-\d\d \d\d:\d\d UTC; its address was never confirmed by a mail/,
  );
  expect(await runAdmin("ann@example.org", "--existing")).toBe("ann@example.org is an admin.\n");
  const browser = visitor();
  const account = { email: "ann@example.org", password: `${PASSWORD}2` };
  const { user } = (await browser.auth.signInWithPassword(account)).data;
  const roles = browser.from("user_roles").select("role").eq("user_id", user?.id);
  expect((await roles).data).toEqual([{ role: "admin" }]);
});

test("npm run admin grants and revokes the moderator and editor roles too", async () => {
  const person = { email: "mia@example.org", password: PASSWORD };
  const browser = visitor();
  await browser.auth.signUp(person);
  const rolesOf = async () => (await browser.from("user_roles").select("role")).data;
  const asModerator = [person.email, "--role", "moderator"];
  await expect(runAdmin(...asModerator)).rejects.toThrow(
    "npm run admin -- mia@example.org --role moderator --existing",
  );
  expect(await runAdmin(...asModerator, "--existing")).toContain(`${person.email} is a moderator.`);
  expect(await rolesOf()).toEqual([{ role: "moderator" }]);
  const asEditor = [person.email, "--role", "editor"];
  expect(await runAdmin(...asEditor, "--existing")).toContain(`${person.email} is an editor.`);
  expect(await rolesOf()).toEqual([{ role: "moderator" }, { role: "editor" }]);
  expect(await runAdmin(...asEditor, "--remove")).toContain(`${person.email} is no longer an editor.`);
  expect(await runAdmin(...asModerator, "--remove")).toContain(`${person.email} is no longer a moderator.`);
  expect(await rolesOf()).toEqual([]);
});

test("npm run admin grants no rights to the password of a stranger who signed up with the address first", async () => {
  const stranger = { email: "early@example.org", password: PASSWORD };
  await visitor().auth.signUp(stranger);
  const { email } = stranger;
  await runOn(databaseUrl(), "update auth.users set email_confirmed_at = null where email = $1", [email]);
  expect(await runAdmin(email)).toMatch(/is an admin\.\nChoose the password at http\S+\n$/);
  await runOn(databaseUrl(), "update auth.users set email_confirmed_at = now() where email = $1", [email]);
  expect((await visitor().auth.signInWithPassword(stranger)).error?.code).toBe("invalid_credentials");
});

test("sign-ins from one network address are limited", async () => {
  const attempts = Array.from({ length: 31 }, (_, i) =>
    visitor().auth.signInWithPassword({ email: `nobody${i}@example.org`, password: "wrong" }),
  );
  const codes = (await Promise.all(attempts)).map(({ error }) => error?.code);
  expect(codes).toContain("over_request_rate_limit");
});

test("npm run admin and npm run keys name the site's running address, whatever port it took", async () => {
  const { port } = new URL(server.address);
  expect(await runAdmin("chief@example.org")).toContain(`Choose the password at http://localhost:${port}/`);
  expect(await runProgram("server/commands/print-keys.ts")).toContain(
    `Backend URL       http://localhost:${port}\n`,
  );
});

test("a command that finds no data folder says that it creates one, in case another was meant", async () => {
  const other = join(dataDir, "no-such-folder");
  const run = (folder: string) =>
    promisify(execFile)(process.execPath, ["server/commands/print-keys.ts"], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: folder },
    });
  expect((await run(other)).stderr).toBe(
    `There was no data folder ${other}, so it is made. If your site has another, set DATA_DIR to that one.\n`,
  );
  expect((await run(other)).stderr).toBe("");
  rmSync(other, { recursive: true });
});

test("no secret, password, token or code was logged", async () => {
  await server.stop();
  logs += server.output() + readFileSync(join(dataDir, "postgres.log"), "utf8");
  expect(logs).toContain("A mail was written to");
  expect(seen.size).toBeGreaterThan(6);
  expect([...seen].filter((secret) => secret === "" || logs.includes(secret))).toEqual([]);
  expect(logs).not.toMatch(/ann@example\.org|ben@example\.org/);
});

function runAdmin(...args: string[]): Promise<string> {
  return runProgram("server/commands/make-admin.ts", ...args);
}

async function runProgram(...args: string[]): Promise<string> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout;
}
