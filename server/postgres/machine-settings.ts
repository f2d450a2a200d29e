import { chownSync, existsSync, readFileSync, renameSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { availableMemory } from "#backend/memory/available-memory.ts";
import { writeFile } from "../data-dir/write-file.ts";
import type { SystemUser } from "./database-user.ts";

const MIB = 1024 * 1024;
const FILE = "machine.conf";
/** Per worker: its pools, listeners and change feed. */
const CONNECTIONS_OF_EACH = 20;
const OTHER_CONNECTIONS = 40;

export type Machine = { memory: number; disk: number; workers: number };

/** The machine that the cluster in `folder` runs on. */
export function describeMachine(folder: string, workers: number): Machine {
  const { blocks, bsize } = statfsSync(folder);
  return { memory: availableMemory(), disk: blocks * bsize, workers };
}

/**
 * Settings derived from the machine. The data is small compared with most machines' memory, and the page cache holds
 * files too.
 */
export function machineSettings({ memory, disk, workers }: Machine): Record<string, string> {
  const share = (of: number, part: number, least: number, most: number) =>
    `${Math.round(Math.min(most, Math.max(least, of / part / MIB)))}MB`;
  return {
    shared_buffers: share(memory, 16, 64, 2048),
    effective_cache_size: share(memory, 2, 256, 1_048_576),
    work_mem: share(memory, 1024, 4, 32),
    maintenance_work_mem: share(memory, 32, 32, 512),
    // Keeps WAL from filling a small disk.
    max_wal_size: share(disk, 20, 128, 4096),
    min_wal_size: share(disk, 160, 64, 512),
    max_connections: String(Math.max(100, OTHER_CONNECTIONS + workers * CONNECTIONS_OF_EACH)),
    // One per worker's change feed, and some for backups and standbys.
    max_wal_senders: String(Math.max(10, workers + 6)),
    max_replication_slots: String(Math.max(10, workers + 6)),
  };
}

/** Values written by initdb or an earlier release, not chosen by the operator. */
const UNCHOSEN: Record<string, readonly string[]> = {
  shared_buffers: ["64MB", "128MB"],
  max_connections: ["100"],
  max_wal_size: ["512MB", "1GB"],
  min_wal_size: ["64MB", "80MB"],
};

const INCLUDE = `include_if_exists = '${FILE}'`;
const EXPLAINED = `# From this machine's memory and disk, written anew at each start. What stands below, and ALTER SYSTEM, wins.\n${INCLUDE}\n\n`;

/**
 * Adapts the cluster's settings to the machine, except those the operator set in `postgresql.conf` or by ALTER SYSTEM.
 */
export function followMachine(folder: string, machine: Machine, user: SystemUser | null): void {
  const lines = Object.entries(machineSettings(machine)).map(([name, value]) => `${name} = ${value}\n`);
  replaceFile(join(folder, FILE), `# Written at each start; a change here is lost.\n${lines.join("")}`, user);
  const main = join(folder, "postgresql.conf");
  if (!existsSync(main)) return;
  const text = readFileSync(main, "utf8");
  if (!text.includes(INCLUDE)) replaceFile(main, EXPLAINED + withoutUnchosen(text), user);
}

function withoutUnchosen(text: string): string {
  return text.replace(/^(\w+) *= *(\w+)([ \t].*)?\n/gm, (line, name: string, value: string) =>
    UNCHOSEN[name]?.includes(value) ? "" : line,
  );
}

/** Atomic, and readable by PostgreSQL's account. */
function replaceFile(file: string, text: string, user: SystemUser | null): void {
  const fresh = `${file}.new`;
  writeFile(fresh, text, { mode: 0o600 });
  if (user) chownSync(fresh, user.uid, user.gid);
  renameSync(fresh, file);
}
