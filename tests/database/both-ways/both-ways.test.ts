import { describe, expect, inject, onTestFinished, test } from "vitest";
import { openFactors } from "#backend/auth/factors/open-factors.ts";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { dumpAndRestore, findDumpPrograms } from "./dump.ts";
import { expectToFind, live, POLICIES, run, SECRET, serve } from "./life-on-both.ts";
import { createOriginalDatabase, originalColumns } from "./original-database.ts";
import { columnsOf, moveRows } from "./rows-and-columns.ts";

async function original(options?: { authMayCreate?: boolean }) {
  const database = await createOriginalDatabase(options);
  onTestFinished(() => database.drop());
  return database;
}

async function own() {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await applyBackendSchema(database.url);
  return database;
}

test("everything works on a database created by the original services, whose tables stay unchanged", async () => {
  const database = await original({ authMayCreate: true });
  await run(database.url, POLICIES);
  const served = await serve(database);
  const had = await live(served, "ana@example.org");
  await expectToFind(served, "ana@example.org", had);
  expect(served.lines).toEqual([]);
  // Refusing an ended session at once needs a table of our own.
  const { error } = await had.client.auth.signOut({ scope: "global" });
  expect(error).toBeNull();
  await expect
    .poll(async () => (await had.client.from("boats").select("name")).data ?? [], { timeout: 4_000 })
    .toEqual([]);
  expect(await columnsOf(database.url)).toEqual(originalColumns);
});

test("if the login may not create a schema, the backend does without it and says so", async () => {
  const database = await original();
  await run(database.url, POLICIES);
  const served = await serve(database);
  const had = await live(served, "ana@example.org");
  await expectToFind(served, "ana@example.org", had);
  expect(served.lines[0]).toMatch(
    /^auth: Role "supabase_auth_admin" may not make the schema "backend" in database .* can allow it with: grant create on database/,
  );
  const wrong = { email: "ana@example.org", password: "wrong" };
  const answers = await Promise.all(
    Array.from({ length: 35 }, () => served.person().auth.signInWithPassword(wrong)),
  );
  expect(new Set(answers.map(({ error }) => error?.status))).toEqual(new Set([400, 429]));
});

test.each(["superuser", "hosted owner"])("the backend's schema is applied to it by its %s", async (by) => {
  const database = await original();
  const url = by === "superuser" ? database.url : database.ownerUrl;
  await applyBackendSchema(url);
  await applyBackendSchema(url);
  expect(await columnsOf(database.url)).toEqual(originalColumns);
  await run(database.url, POLICIES);
  const served = await serve(database);
  const had = await live(served, "ana@example.org");
  await expectToFind(served, "ana@example.org", had);
  expect(served.lines).toEqual([]);
});

test("a service names the table that it lacks", async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  const { lines } = await serve(database, undefined, { REALTIME_ENABLED: "true" });
  for (const part of ["table auth.users", "table storage.objects", "table realtime.messages"])
    expect(lines.filter((line) => line.includes(`the database has no ${part}`))).toHaveLength(1);
});

test("our auth and storage schemas have exactly the original tables, columns, types and defaults", async () => {
  const { url } = await own();
  expect(await columnsOf(url)).toEqual(originalColumns);
});

type Make = typeof own | typeof original;

const WAYS: [way: string, from: Make, to: Make][] = [
  ["from here there", own, () => original({ authMayCreate: true })],
  ["from there here", () => original({ authMayCreate: true }), own],
];

/** Creates a database, has a user use it, and closes its services. */
async function leave(from: Make) {
  const left = await from();
  await run(left.url, POLICIES);
  const served = await serve(left);
  const had = await live(served, "ana@example.org");
  await served.close();
  return { left, files: served.files, had };
}

/** The same, with a second, empty database to move the rows to. */
async function leaveFor(from: Make, to: Make) {
  const entered = await to();
  await run(entered.url, POLICIES);
  return { ...(await leave(from)), entered };
}

test.each(WAYS)("rows copied %s: users sign in with their old credentials", async (_way, from, to) => {
  const { left, entered, files, had } = await leaveFor(from, to);
  await run(
    left.url,
    `insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
     values ($1, '\\x01ff', '\\xa50102', 'A key')`,
    [had.id],
  );
  await moveRows(left.url, entered.url);
  await expectToFind(await serve(entered, files), "ana@example.org", had);
  await openFactors(entered.url, [SECRET]);
  expect(await run(entered.url, "select secret from auth.mfa_factors")).toEqual([{ secret: had.totpSecret }]);
  const keys = "select * from auth.webauthn_credentials";
  expect(await run(entered.url, keys)).toEqual(await run(left.url, keys));
});

const [server] = await run(inject("testCluster").url, "show server_version_num");
const programs = findDumpPrograms(Math.trunc(Number(server.server_version_num) / 10_000)) ?? "";

describe.skipIf(programs === "")("by pg_dump (needs a version at least as new as the server)", () => {
  const DATA = ["--data-only", "--disable-triggers", "--schema=auth", "--schema=storage", "--schema=public"];

  test.each(WAYS)("rows move %s, and users sign in with their old credentials", async (_way, from, to) => {
    const { left, entered, files, had } = await leaveFor(from, to);
    await dumpAndRestore(programs, [left.url, entered.url], DATA);
    await expectToFind(await serve(entered, files), "ana@example.org", had);
  });

  test.each([
    ["here", own],
    ["there", () => original({ authMayCreate: true })],
  ])("a database from %s moves as a whole, with its policies, to an empty one", async (_where, from) => {
    const { left, files, had } = await leave(from);
    const entered = await createTestDatabase({ empty: true });
    onTestFinished(() => entered.drop());
    await dumpAndRestore(programs, [left.url, entered.url], ["--clean", "--if-exists"]);
    const served = await serve(entered, files);
    await expectToFind(served, "ana@example.org", had);
    expect(served.lines).toEqual([]);
  });
});

test("a database with the former table keeps its counts", async () => {
  const { url } = await own();
  await run(
    url,
    `delete from backend.schema_files where name like '0029%';
     drop table backend.rate_limits;
     create unlogged table auth.rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint);
     insert into auth.rate_limits values ('signIn:someone', 7, 99)`,
  );
  await applyBackendSchema(url);
  expect(await run(url, "select key, points, expire from backend.rate_limits")).toEqual([
    { key: "signIn:someone", points: 7, expire: "99" },
  ]);
  expect(await run(url, "select to_regclass('auth.rate_limits') as former")).toEqual([{ former: null }]);
});
