import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findFaults } from "./find-faults.ts";
import type { OperationReport } from "./operation-report.ts";

const GB = 1024 ** 3;
type Facts = Omit<OperationReport, "findings">;

const GOOD: Facts = {
  at: "2026-11-22T04:00:00.000Z",
  version: "1.0.0",
  setup: {
    siteAddress: "https",
    database: "embedded",
    mailArrives: true,
    contactArrives: true,
    knowsVisitors: true,
    sharesFiles: false,
    weakSecrets: [],
    processes: 1,
  },
  machine: { cores: 2, load: 0.5, memoryBytes: 4 * GB, freeMemoryBytes: GB },
  processes: [
    {
      pid: 1,
      startedAt: "2026-11-21T04:00:00.000Z",
      memoryBytes: GB / 4,
      sockets: 3,
      livePages: 2,
      keptBytes: 1,
      pool: { max: 10, busy: 1, waiting: 0 },
    },
  ],
  changesArrive: true,
  database: {
    version: "18.4",
    bytes: GB,
    connections: 20,
    maxConnections: 100,
    latencyMs: 0.3,
    slotLagBytes: 0,
  },
  mails: { waiting: 0, failing: 0, oldestSeconds: 0, lost: 0 },
  disk: { freeBytes: 20 * GB, sizeBytes: 40 * GB },
  backup: { everyMs: 3_600_000, ageMs: 1_000, last: null, failure: null, isBesideData: false },
  archive: { silentSeconds: 0.4, writesWait: true, isBesideData: false },
  files: { objects: 1, bytes: 1 },
};

const { setup, database, mails, backup, archive } = GOOD;
const [one] = GOOD.processes;
if (!database || !mails || !backup || !archive || !one?.pool) throw new TypeError("a fact is missing");

const CASES: [id: string, facts: Partial<Facts>][] = [
  ["database-silent", { database: null }],
  ["processes-silent", { setup: { ...setup, processes: 2 } }],
  ["disk-small", { disk: { freeBytes: 3 * GB, sizeBytes: 40 * GB } }],
  ["disk-small", { disk: { freeBytes: GB / 2, sizeBytes: 2 * GB } }],
  ["backup-failed", { backup: { ...backup, failure: { at: GOOD.at, reason: "no room" }, ageMs: 9e9 } }],
  ["backup-late", { backup: { ...backup, ageMs: 2 * backup.everyMs } }],
  ["backup-none", { backup: null }],
  ["backup-beside-data", { backup: { ...backup, isBesideData: true } }],
  ["archive-silent", { archive: { ...archive, silentSeconds: 6 } }],
  ["archive-late", { archive: { ...archive, silentSeconds: 6, writesWait: false } }],
  ["archive-beside-data", { archive: { ...archive, isBesideData: true } }],
  ["secret-weak", { setup: { ...setup, weakSecrets: ["JWT_SECRET"] } }],
  ["address-plain", { setup: { ...setup, siteAddress: "http" } }],
  ["address-missing", { setup: { ...setup, siteAddress: "placeholder" } }],
  ["visitors-alike", { setup: { ...setup, knowsVisitors: false } }],
  ["mail-none", { setup: { ...setup, mailArrives: false } }],
  ["mail-late", { mails: { ...mails, waiting: 2, failing: 1, oldestSeconds: 4_000 } }],
  ["mail-lost", { mails: { ...mails, lost: 1 } }],
  ["contact-none", { setup: { ...setup, contactArrives: false } }],
  ["connections-short", { database: { ...database, connections: 95 } }],
  ["connections-short", { processes: [{ ...one, pool: { ...one.pool, waiting: 1 } }] }],
  ["changes-lag", { database: { ...database, slotLagBytes: 2e9 } }],
  ["changes-silent", { changesArrive: false }],
  ["files-here", { setup: { ...setup, database: "own" }, backup: null }],
];

const GUIDE = readFileSync("docs/operations.md", "utf8");

test("where all is well there is nothing to mend, also where another host has the data", () => {
  expect(findFaults(GOOD)).toEqual([]);
  const hosted = { setup: { ...setup, database: "hosted" as const }, changesArrive: false };
  const nothing = { database: null, mails: null, disk: null, backup: null, archive: null, files: null };
  expect(findFaults({ ...GOOD, ...hosted, ...nothing })).toEqual([]);
});

test.each(CASES)("%s is found alone, and names a heading of the operations guide", (id, facts) => {
  const found = findFaults({ ...GOOD, ...facts });
  expect(found.map((finding) => finding.id)).toEqual([id]);
  for (const { heading } of found) expect(GUIDE).toMatch(new RegExp(`^#+ ${heading}$`, "m"));
});

test("what is grave comes first", () => {
  const found = findFaults({ ...GOOD, setup: { ...setup, knowsVisitors: false }, database: null });
  expect(found.map(({ id, isGrave }) => [id, isGrave])).toEqual([
    ["database-silent", true],
    ["visitors-alike", false],
  ]);
});
