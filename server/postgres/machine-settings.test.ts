import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { followMachine, machineSettings } from "./machine-settings.ts";
import { startPostgres } from "./start-postgres.ts";

const GIB = 1024 ** 3;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-machine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function show(url: string, ...names: string[]): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select current_setting(name) as value from unnest($1::text[]) as name",
      [names],
    );
    return rows.map(({ value }) => value);
  } finally {
    await client.end();
  }
}

async function alter(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

test("sizes follow the memory, the disk and the number of processes, within bounds", () => {
  const sizes = (memory: number, disk: number, workers: number) => {
    const { shared_buffers, max_wal_size, max_connections, max_wal_senders } = machineSettings({
      memory: memory * GIB,
      disk: disk * GIB,
      workers,
    });
    return [shared_buffers, max_wal_size, max_connections, max_wal_senders];
  };
  expect(sizes(0.5, 1, 1)).toEqual(["64MB", "128MB", "100", "10"]);
  expect(sizes(4, 20, 2)).toEqual(["256MB", "1024MB", "100", "10"]);
  expect(sizes(256, 2000, 16)).toEqual(["2048MB", "4096MB", "360", "22"]);
});

test("a cluster follows its machine, unless the operator chose otherwise, and has data checksums", async () => {
  const dataDir = makeFolder();
  const first = await startPostgres({ dataDir, workers: 8 });
  expect(await show(first.url, "data_checksums", "max_connections", "jit")).toEqual(["on", "200", "off"]);
  await alter(first.url, "alter system set work_mem = '7MB'");
  await first.stop();
  const file = join(dataDir, "postgres/postgresql.conf");
  writeFileSync(file, `${readFileSync(file, "utf8")}shared_buffers = 72MB\n`);
  const second = await startPostgres({ dataDir, workers: 1 });
  try {
    expect(await show(second.url, "shared_buffers", "work_mem", "max_connections")).toEqual([
      "72MB",
      "7MB",
      "100",
    ]);
  } finally {
    await second.stop();
  }
});

test("a cluster of an earlier release follows too: what nobody chose goes, what somebody chose stays", () => {
  const folder = makeFolder();
  const file = join(folder, "postgresql.conf");
  writeFileSync(
    file,
    "max_connections = 300\t\t\t# (change requires restart)\nshared_buffers = 64MB\t\t\t# min 128kB\n#work_mem = 4MB\njit = off\n",
  );
  const machine = { memory: GIB, disk: 10 * GIB, workers: 1 };
  followMachine(folder, machine, null);
  followMachine(folder, machine, null);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(
    /^# From .*\ninclude_if_exists = 'machine.conf'\n\nmax_connections = 300\t.*\n#work_mem = 4MB\njit = off\n$/,
  );
  expect(readFileSync(join(folder, "machine.conf"), "utf8")).toContain("shared_buffers = 64MB\n");
});
