import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { signToken } from "#backend/tokens/sign-token.ts";
import { onDatabase } from "#tests/helpers/database-url.ts";
import { findOtherPostgres, startOtherPostgres } from "#tests/helpers/other-postgres.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { startServer } from "#tests/helpers/server-process.ts";

const JWT_SECRET = "v".repeat(40);
const others = findOtherPostgres();

/** The commands for a new major version in docs/operations.md: a dump and a restore. */
function readUpgrade(): string[] {
  const manual = readFileSync(resolve(import.meta.dirname, "../../docs/operations.md"), "utf8");
  const section = /^### A new major version of PostgreSQL$([\s\S]*?)^## /m.exec(manual)?.[1] ?? "";
  return Array.from(section.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, commands = ""]) => commands);
}

test.skipIf(others.length > 0)("needs a PostgreSQL from Debian, or POSTGRES_PROGRAMS", ({ skip }) => skip());

describe.each(others)("the operator's own PostgreSQL $version", (other) => {
  const { version } = other;

  /** What the first start needs a superuser to run if the site's login is not one, as in docs/operations.md. */
  const OPERATOR = [
    "create role operator login createrole bypassrls replication password 'operator'",
    ...(Number(version) < 16 ? ["create role service_role nologin noinherit bypassrls"] : []),
    "create database site owner operator",
  ];

  test.each([
    { login: "a superuser", prepare: ["create database site"], user: null },
    { login: "the database's owner", prepare: OPERATOR, user: "operator" },
  ])("serves the whole site by the login of $login", async ({ prepare, user }) => {
    const postgres = await startOtherPostgres(other);
    onTestFinished(postgres.stop);
    for (const statement of prepare) await runOn(postgres.url, statement);
    const url = new URL(onDatabase(postgres.url, "site"));
    if (user) Object.assign(url, { username: user, password: user });
    const dataDir = mkdtempSync(join(tmpdir(), "fruit-values-other-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const env = { DATA_DIR: dataDir, DATABASE_URL: url.href, JWT_SECRET };
    const server = await startServer({ env });
    onTestFinished(async () => void (await server.stop()));
    expect(server.output()).not.toMatch(/ (warn|error) /);

    const page = async (path: string) => (await fetch(server.address + path)).text();
    expect(await page("/values")).toContain("Kitsune");
    const options = { auth: { persistSession: false, autoRefreshToken: false } };
    const keyOf = (role: string) => signToken({ iss: "supabase", role }, JWT_SECRET);
    const ann = createClient(server.address, await keyOf("anon"), options);
    const service = createClient(server.address, await keyOf("service_role"), options);
    const { data, error } = await ann.auth.signUp({
      email: "ann@example.org",
      password: "Correct horse 7 battery!",
    });
    expect(error).toBeNull();
    expect(
      (
        await ann
          .from("profiles")
          .select("id")
          .eq("id", data.user?.id ?? "")
      ).data,
    ).toHaveLength(1);
    // Published values are on the public page immediately, and through the change feed.
    const { status } = await service.from("items").update({ current_value: "97.7B" }).eq("slug", "kitsune");
    expect(status).toBe(204);
    expect(await page("/fruits/kitsune")).toContain("97.7B");
    await runOn(
      onDatabase(postgres.url, "site"),
      "update items set current_value = '98.8B' where slug = 'kitsune'",
    );
    await expect.poll(() => page("/fruits/kitsune")).toContain("98.8B");
    expect((await service.storage.createBucket("other", { public: true })).error).toBeNull();
    expect((await service.storage.from("other").upload("a.txt", "words")).error).toBeNull();
    expect((await service.storage.from("other").list()).data?.map(({ name }) => name)).toEqual(["a.txt"]);

    // The second start finds everything as the first left it.
    await server.stop();
    const again = await startServer({ env });
    onTestFinished(async () => void (await again.stop()));
    expect(again.output()).not.toMatch(/migrations applied/);
    const back = await createClient(again.address, await keyOf("anon"), options).auth.signInWithPassword({
      email: "ann@example.org",
      password: "Correct horse 7 battery!",
    });
    expect(back.error).toBeNull();
  });

  test("a later release's PostgreSQL takes over the database by the manual's commands", {
    timeout: 240_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "fruit-values-upgrade-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "data"));
    const follow = (url: string, commands: string) => {
      writeFileSync(join(folder, "data/database-url"), `${url}\n`);
      const env = { PATH: `${other.programs}:${process.env.PATH}` };
      execFileSync("/bin/sh", ["-eu", "-c", commands], { cwd: folder, env, stdio: "pipe" });
    };
    const serve = async (url: string) => {
      const env = { DATA_DIR: join(folder, crypto.randomUUID()), DATABASE_URL: url, JWT_SECRET };
      const server = await startServer({ env });
      onTestFinished(async () => void (await server.stop()));
      return server;
    };
    const [dump = "", restore = "", ...more] = readUpgrade();
    expect(more).toEqual([]);
    const [former, later] = [await startOtherPostgres(other), await startOtherPostgres(other)];
    for (const { stop } of [former, later]) onTestFinished(stop);

    const before = await serve(former.url);
    await runOn(former.url, "update items set current_value = '98.7B' where slug = 'kitsune'");
    follow(former.url, dump);
    await before.stop();

    const after = await serve(later.url);
    // As from a migration that the former release lacks.
    await runOn(later.url, "create table public.of_later_release (item_id uuid references items)");
    follow(later.url, restore);
    await after.stop();
    const found = await runOn(
      later.url,
      `select to_regclass('public.of_later_release') as table_of_migration,
         has_table_privilege('service_role', 'public.admin_acts', 'insert') as wider_rights`,
    );
    expect(found).toEqual([{ table_of_migration: null, wider_rights: false }]);
    const { address } = await serve(later.url);
    expect(await (await fetch(`${address}/fruits/kitsune`)).text()).toContain("98.7B");
  });
});
