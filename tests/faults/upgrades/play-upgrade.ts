import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { judgeNames } from "#server/database/check-existing-names.ts";
import { loadVocabularies } from "#server/database/load-vocabularies.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { isRunning, postmasterOf } from "#tests/helpers/processes.ts";
import { startServer } from "#tests/helpers/server-process.ts";
import { until } from "../until.ts";
import { countRows, differ, findDifferent, findLost, type Records, readRecords } from "./compare-records.ts";
import { DESCRIBE_SCHEMA } from "./describe-schema.ts";
import { fillSite } from "./fill-site.ts";
import { ALL_MIGRATIONS, MIGRATION_VERSIONS, migrateTo, type ReleasedState } from "./released-states.ts";

/** As long as the slowest migration takes on a busy machine. */
const LONGEST_WAIT_MS = 300;

type UpgradeRound = {
  state: string;
  /** Rows before the upgrade. */
  rows: number;
  /** How many migrations were done when it was killed; `todo` is the total. */
  done: number;
  todo: number;
  /** Milliseconds from the kill until the next start was open. */
  backMs: number;
  findings: string[];
};

/** The complete state of a site: user data and schema. */
type Whole = { records: Records; schema: string[]; openAt: number };

/** Data folders as left by former releases, each created and filled once, then upgraded as often as requested. */
export type Upgrades = {
  play(state: ReleasedState): Promise<UpgradeRound>;
  close(): void;
};

/** @param fresh a data folder of today's release; by default a first start creates one */
export function openUpgrades(fresh?: string): Upgrades {
  const folder = mkdtempSync(join(tmpdir(), "upgrades-"));
  const known = new Map<string, Promise<Known>>();
  let today: Promise<string[]> | null = null;
  const copyOf = (from: string) => {
    const copy = mkdtempSync(join(folder, "copy-"));
    // Preserves owners: PostgreSQL has its own account.
    execFileSync("cp", ["-a", `${from}/.`, copy]);
    rmSync(join(copy, "database-url"), { force: true });
    return copy;
  };

  async function know(state: ReleasedState): Promise<Known> {
    const dataDir = mkdtempSync(join(folder, "state-"));
    const { before, actions } = await makeSite(dataDir, state);
    const copy = copyOf(dataDir);
    const upgraded = await upgrade(copy);
    rmSync(copy, { recursive: true });
    return { dataDir, before, actions, upgraded };
  }

  return {
    async play(state) {
      if (!known.has(state.name)) known.set(state.name, know(state));
      const { dataDir, before, upgraded } = await (known.get(state.name) as Promise<Known>);
      today ??= upgrade(fresh ?? mkdtempSync(join(folder, "today-"))).then(({ schema }) => schema);
      const copy = copyOf(dataDir);
      const killed = await killUpgrade(copy, state);
      const isSame = (now: Records) => findDifferent(before, upgraded.records, now).length === 0;
      const { records, schema, openAt } = await upgrade(copy, isSame);
      rmSync(copy, { recursive: true });
      return {
        state: state.name,
        rows: countRows(before),
        done: killed.done,
        todo: ALL_MIGRATIONS - (state.migrations ?? 0),
        backMs: openAt - killed.at,
        findings: [
          ...findLost(before, records),
          ...findDifferent(before, upgraded.records, records),
          ...differ(await today, schema),
        ],
      };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Killed = { done: number; at: number };
type Known = { dataDir: string; before: Records; actions: number; upgraded: Whole };

/** A data folder as that release left it, filled through its actions. */
async function makeSite(
  dataDir: string,
  state: ReleasedState,
): Promise<{ before: Records; actions: number }> {
  const { authAdminPassword } = await loadKeys(dataDir);
  const postgres = await startPostgres({ dataDir });
  const client = new Client({ connectionString: postgres.url });
  client.on("error", () => {});
  try {
    const { url, authenticatorUrl, authenticatorPassword } = postgres;
    await applyBackendSchema(url, { authenticatorPassword, authAdminPassword });
    await client.connect();
    await migrateTo(state, client, url);
    const { rows } = await client.query("select to_regclass('private.vocabularies') is not null as reads");
    if (rows[0].reads) await loadVocabularies(url);
    const actions = await fillSite(
      dataDir,
      { url, authenticatorUrl, poolerUrl: null, readUrl: null },
      client,
    );
    return { before: await readRecords(client), actions };
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** Starts today's release on it and stops it; returns the state once the start has done all its work. */
async function upgrade(dataDir: string, isSame?: (records: Records) => boolean): Promise<Whole> {
  const server = await startServer({ env: { DATA_DIR: dataDir } });
  const openAt = Date.now();
  try {
    return await onDatabase(dataDir, async (client, url) => {
      // Work the start does in the background.
      await judgeNames(url);
      let records = await readRecords(client);
      const look = async () => {
        records = await readRecords(client);
        return isSame?.(records) ?? true;
      };
      await until("it is as it would be", look).catch(() => {});
      const { rows } = await client.query<{ line: string }>(DESCRIBE_SCHEMA);
      return { records, schema: rows.map(({ line }) => line), openAt };
    });
  } finally {
    await server.stop();
  }
}

async function onDatabase<T>(dataDir: string, use: (client: Client, url: string) => Promise<T>): Promise<T> {
  const url = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return await use(client, url).finally(() => client.end());
}

/**
 * Starts it and kills it during the migrations: within each with equal probability. That migration cannot be recorded,
 * because this client holds its row, so a fast upgrade is not over before it is killed.
 */
async function killUpgrade(dataDir: string, { migrations }: ReleasedState): Promise<Killed> {
  let pid = 0;
  const starting = startServer({ env: { DATA_DIR: dataDir }, begun: (begun) => (pid = begun) });
  const ended = starting.then(
    () => {},
    () => {},
  );
  await until("the database is there", () => existsSync(join(dataDir, "database-url")));
  const first = migrations ?? 0;
  const goal = first + Math.floor(Math.random() * (ALL_MIGRATIONS - first));
  const killed = await onDatabase(dataDir, async (client) => {
    await holdMigration(client, goal);
    const readDone = async () => {
      const { rows } = await client.query<{ count: number }>(
        "select count(*)::int as count from supabase_migrations.schema_migrations where version = any ($1)",
        [MIGRATION_VERSIONS.toSpliced(goal, 1)],
      );
      return rows[0]?.count ?? 0;
    };
    await until("it migrates", async () => (await readDone()) >= goal);
    await sleep(Math.random() * LONGEST_WAIT_MS);
    const done = (await readDone()) - first;
    const at = Date.now();
    const postmaster = postmasterOf(dataDir);
    process.kill(pid, "SIGKILL");
    // Half of the time PostgreSQL is killed too, as when the machine dies.
    if (Math.random() < 0.5 && isRunning(postmaster)) process.kill(postmaster, "SIGKILL");
    return { done, at, postmaster };
  });
  await ended;
  await until("PostgreSQL ended too", () => !isRunning(killed.postmaster));
  return killed;
}

/**
 * Keeps a migration from being recorded, by an uncommitted row of its version, until the client's connection ends.
 * After the last one there is nothing to hold.
 */
async function holdMigration(client: Client, index: number): Promise<void> {
  await client.query("begin");
  await client.query(
    "insert into supabase_migrations.schema_migrations (version) select version from unnest($1::text[]) as version",
    [MIGRATION_VERSIONS.slice(index, index + 1)],
  );
}
