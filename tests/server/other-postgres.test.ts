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
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const JWT_SECRET = "v".repeat(40);
const ANN = { email: "ann@example.org", password: "Correct horse 7 battery!" };
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

  const serve = async (url: string) => {
    const dataDir = mkdtempSync(join(tmpdir(), "fruit-values-other-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const server = await startServer({ env: { DATA_DIR: dataDir, DATABASE_URL: url, JWT_SECRET } });
    onTestFinished(async () => void (await server.stop()));
    expect(server.output()).not.toMatch(/ (warn|error) /);
    return server;
  };
  const clientOf = async ({ address }: ServerProcess, role: "anon" | "service_role") =>
    createClient(address, await signToken({ iss: "supabase", role }, JWT_SECRET), {
      auth: { persistSession: false, autoRefreshToken: false },
    });

  /** An account, a published value, a change in SQL and a file; `url` is the database's. */
  async function tryWholeSite(server: ServerProcess, url: string): Promise<void> {
    const page = async (path: string) => (await fetch(server.address + path)).text();
    expect(await page("/values")).toContain("Kitsune");
    const [ann, service] = [await clientOf(server, "anon"), await clientOf(server, "service_role")];
    const { data, error } = await ann.auth.signUp(ANN);
    expect(error).toBeNull();
    const profiles = await ann
      .from("profiles")
      .select("id")
      .eq("id", data.user?.id ?? "");
    expect(profiles.data).toHaveLength(1);
    // Published values are on the public page immediately, and through the change feed.
    const { status } = await service.from("items").update({ current_value: "97.7B" }).eq("slug", "kitsune");
    expect(status).toBe(204);
    expect(await page("/fruits/kitsune")).toContain("97.7B");
    await runOn(url, "update items set current_value = '98.8B' where slug = 'kitsune'");
    await expect.poll(() => page("/fruits/kitsune")).toContain("98.8B");
    expect((await service.storage.createBucket("other", { public: true })).error).toBeNull();
    expect((await service.storage.from("other").upload("a.txt", "words")).error).toBeNull();
    expect((await service.storage.from("other").list()).data?.map(({ name }) => name)).toEqual(["a.txt"]);
  }

  /** A start that finds everything in the database as the former one left it. */
  async function serveAgain(url: string): Promise<void> {
    const server = await serve(url);
    expect(server.output()).not.toMatch(/migrations applied/);
    expect(await (await fetch(`${server.address}/fruits/kitsune`)).text()).toContain("98.8B");
    const ann = await clientOf(server, "anon");
    expect((await ann.auth.signInWithPassword(ANN)).error).toBeNull();
  }

  test("serves the whole site by the login of the database's owner, and a second start finds it all", async () => {
    const postgres = await startOtherPostgres(other);
    onTestFinished(postgres.stop);
    for (const statement of OPERATOR) await runOn(postgres.url, statement);
    const asSuperuser = onDatabase(postgres.url, "site");
    const url = new URL(asSuperuser);
    Object.assign(url, { username: "operator", password: "operator" });
    const server = await serve(url.href);
    await tryWholeSite(server, asSuperuser);
    await server.stop();
    await serveAgain(url.href);
  });

  test("serves the whole site by a superuser's login, and a later release's PostgreSQL takes over by the manual's commands", {
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
    const [dump = "", restore = "", ...more] = readUpgrade();
    expect(more).toEqual([]);
    const [former, later] = [await startOtherPostgres(other), await startOtherPostgres(other)];
    for (const { stop } of [former, later]) onTestFinished(stop);

    const before = await serve(former.url);
    await tryWholeSite(before, former.url);
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
    await serveAgain(later.url);
  });
});
