import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readServiceSettings } from "#backend/configuration/service-settings.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { hasPooler, placeOf, startPooler } from "#tests/helpers/pooler.ts";
import { serveStandalone } from "./serve-standalone.ts";

/** A pooler that gives each transaction whichever of two connections is free. */
async function openPooler(databaseUrl: string): Promise<string> {
  const { username, password, pathname } = new URL(databaseUrl);
  const { host, port } = placeOf(databaseUrl);
  const pooler = await startPooler(
    databaseUrl,
    { [username]: decodeURIComponent(password) },
    (own) =>
      `[databases]\napp = host=${host} port=${port} dbname=${pathname.slice(1)}\n[pgbouncer]\n` +
      `listen_addr = 127.0.0.1\nlisten_port = ${own.port}\nunix_socket_dir =\nauth_type = plain\n` +
      `auth_file = ${own.usersFile}\npool_mode = transaction\ndefault_pool_size = 2\n`,
  );
  onTestFinished(pooler.remove);
  return `postgres://${username}:${password}@127.0.0.1:${pooler.port}/app`;
}

test.runIf(hasPooler)(
  "behind PgBouncer in transaction mode, requests work without prepared statements (needs Debian's pgbouncer)",
  async () => {
    const database = await createTestDatabase({ empty: true });
    onTestFinished(() => database.drop());
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`
      create schema api;
      create table api.boats (id int primary key, name text not null);
      insert into api.boats select n, 'boat ' || n from generate_series(1, 50) n;
      grant usage on schema api to anon;
      grant all on api.boats to anon;
    `);
    await admin.end();
    const settings = readServiceSettings({
      PGRST_DB_URI: await openPooler(database.authenticatorUrl),
      PGRST_DB_SCHEMAS: "api",
      PGRST_DB_ANON_ROLE: "anon",
      PGRST_DB_PREPARED_STATEMENTS: "false",
      PGRST_DB_CHANNEL_ENABLED: "false",
      PGRST_DB_POOL: "8",
      PGRST_SERVER_HOST: "127.0.0.1",
      PGRST_SERVER_PORT: "0",
    });
    const backend = await serveStandalone(settings, () => {});
    onTestFinished(() => backend.close());
    const rounds = Array.from({ length: 200 }, (_, round) => round % 50);
    const answers = await Promise.all(
      rounds.map(async (round) => {
        const kind = round % 3;
        if (kind === 0) return (await fetch(`${backend.url}/boats?id=eq.${round + 1}&select=id`)).json();
        const init = {
          method: "PATCH",
          body: '{"name":"new"}',
          headers: { "content-type": "application/json", prefer: "return=representation" },
        };
        if (kind === 1)
          return (await fetch(`${backend.url}/boats?id=eq.${round + 1}&select=id`, init)).json();
        return (await fetch(`${backend.url}/boats?select=id&order=id&offset=${round}&limit=1`)).json();
      }),
    );
    expect(answers).toEqual(rounds.map((round) => [{ id: round + 1 }]));
  },
);
