import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { type EmbeddedPostgres, startPostgres } from "#server/postgres/start-postgres.ts";
import { onDatabase } from "#tests/helpers/database-url.ts";
import { hasPooler, type Pooler, placeOf, startPooler } from "#tests/helpers/pooler.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { anonymousClient } from "#tests/helpers/sign-up.ts";

/** The example as operators copy it, with this machine's paths substituted. */
const EXAMPLE = readFileSync(resolve(import.meta.dirname, "../../../deploy/pgbouncer.ini"), "utf8");
/** Fewer connections than the site uses at once, so that they change hands constantly. */
const CONNECTIONS = 2;
const JWT_SECRET = "s".repeat(40);

let postgres: EmbeddedPostgres;
let directUrl: string;
let folder: string;
let pooler: Pooler;
let server: ServerProcess;

const pooledUrl = () => `postgres://127.0.0.1:${pooler.port}/site`;
const start = (name: string, env: Record<string, string>) =>
  startServer({ env: { DATA_DIR: join(folder, name), JWT_SECRET, ...env } });

/** The SQL that the example's first lines tell a superuser to run. */
const example = EXAMPLE.split("\n")
  .filter((line) => /^; {3}/.test(line))
  .map((line) => line.slice(1))
  .join("\n");

const connect = () => anonymousClient(server);

describe.runIf(hasPooler)("behind PgBouncer in transaction mode (needs Debian's pgbouncer)", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fruit-values-pooled-"));
    postgres = await startPostgres({ ephemeral: true });
    await runOn(postgres.url, "create database site");
    directUrl = onDatabase(postgres.url, "site");
    await runOn(directUrl, example.replace("'…'", "'of the pooler'"));
    const { host, port } = placeOf(postgres.url);
    pooler = await startPooler(postgres.url, { pooler: "of the pooler" }, (own) => {
      const changes = [
        ["host=127.0.0.1 port=5432", `host=${host} port=${port}`],
        ["listen_port = 6432", `listen_port = ${own.port}`],
        ["/etc/pgbouncer/userlist.txt", own.usersFile],
        ["default_pool_size = 10", `default_pool_size = ${CONNECTIONS}`],
      ] as const;
      return changes.reduce((text, [from, to]) => {
        expect(text).toContain(from);
        return text.replace(from, to);
      }, EXAMPLE);
    });
    server = await start("site", { DATABASE_URL: pooledUrl(), DATABASE_DIRECT_URL: directUrl });
  });

  afterAll(async () => {
    await server?.stop();
    await pooler?.remove();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("users sign up and read as themselves, however the connections change hands", async () => {
    const people = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const client = await connect();
        const account = { email: `trader${n}@example.org`, password: "Correct horse 7 battery!" };
        const { data, error } = await client.auth.signUp(account);
        expect(error).toBeNull();
        return { client, id: data.user?.id };
      }),
    );
    await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const { client, id } = people[n % 3] as (typeof people)[number];
        if (n % 2) {
          const { data } = await client.auth.getUser();
          expect(data.user?.id).toBe(id);
          return;
        }
        const { data, error } = await client
          .from("profiles")
          .select("id")
          .eq("id", id ?? "");
        expect(error).toBeNull();
        expect(data).toEqual([{ id }]);
      }),
    );
    const database = new Client({ connectionString: directUrl });
    await database.connect();
    const { rows } = await database.query(
      "select count(*)::int as n from pg_stat_activity where application_name = 'backend' and usename = 'authenticator'",
    );
    await database.end();
    expect(rows[0].n).toBeGreaterThan(0);
    expect(rows[0].n, "else the requests went around the pooler").toBeLessThanOrEqual(CONNECTIONS);
  });

  test("files, live changes and pages work as without it", async () => {
    const client = await connect();
    const { data } = await client.auth.signUp({
      email: "live@example.org",
      password: "Correct horse 7 battery!",
    });
    const heard = Promise.withResolvers<unknown>();
    const joined = Promise.withResolvers<string>();
    await client.realtime.setAuth(data.session?.access_token ?? "");
    client
      .channel("catalogue", { config: { private: true } })
      .on("postgres_changes", { event: "UPDATE", schema: "public", table: "items" }, ({ new: row }) =>
        heard.resolve((row as { current_value: string }).current_value),
      )
      .subscribe((status) => status === "SUBSCRIBED" && joined.resolve(status));
    await joined.promise;
    const page = async () => (await fetch(`${server.address}/values`)).text();
    expect(await page()).toContain("Kitsune");
    await expect
      .poll(async () => {
        await runOn(directUrl, "update items set current_value = '98.7B' where slug = 'kitsune'");
        return Promise.race([heard.promise, page().then(() => null)]);
      })
      .toBe("98.7B");
    expect(await page()).toContain("98.7B");
    await client.removeAllChannels();
    const service = createClient(
      server.address,
      await signToken({ iss: "supabase", role: "service_role" }, JWT_SECRET),
    );
    expect((await service.storage.createBucket("pooled", { public: true })).error).toBeNull();
    const files = Array.from({ length: 12 }, (_, n) => `${n}.txt`);
    const put = await Promise.all(files.map((name) => service.storage.from("pooled").upload(name, name)));
    expect(put.map(({ error }) => error)).toEqual(files.map(() => null));
    const { data: file } = await service.storage.from("pooled").download("7.txt");
    expect(await file?.text()).toBe("7.txt");
  });

  test("when the pooler is down only what needs it fails, and everything recovers when it is back", async () => {
    const client = await connect();
    const read = async () => (await client.from("items").select("name").eq("slug", "kitsune")).status;
    expect(await read()).toBe(200);
    await pooler.stop();
    expect(await read()).toBe(503);
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
    await pooler.start();
    await expect.poll(read).toBe(200);
  });

  test.each([
    [
      "the pooler alone",
      () => ({ DATABASE_URL: pooledUrl() }),
      /^DATABASE_URL leads to a pooler .*: set DATABASE_DIRECT_URL/,
    ],
    [
      "the pooler twice",
      () => ({ DATABASE_URL: pooledUrl(), DATABASE_DIRECT_URL: pooledUrl() }),
      /^DATABASE_DIRECT_URL leads to a pooler/,
    ],
    [
      "two databases",
      () => ({ DATABASE_URL: pooledUrl(), DATABASE_DIRECT_URL: onDatabase(directUrl, "other") }),
      /^DATABASE_URL and DATABASE_DIRECT_URL lead to different databases/,
    ],
    [
      "a pooler that knows no login of the site",
      () => ({ DATABASE_URL: `${pooledUrl()}2`, DATABASE_DIRECT_URL: directUrl }),
      /^DATABASE_URL does not let authenticator in: .* deploy\/pgbouncer\.ini/,
    ],
  ])("%s: the start is refused with a clear message", async (name, env, sentence) => {
    await runOn(postgres.url, "drop database if exists other");
    await runOn(postgres.url, "create database other");
    // The login that both sides know.
    const password = deriveKey(JWT_SECRET, "authenticatorPassword");
    const asPooler = (value: string) => value.replace("//127", `//authenticator:${password}@127`);
    const settings = Object.fromEntries(Object.entries(env()).map(([key, url]) => [key, asPooler(url)]));
    await expect(start(name.replaceAll(" ", "-"), settings)).rejects.toThrow(sentence);
  });
});
