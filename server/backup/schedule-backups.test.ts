import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropFutureTimes, readBackupState, writeBackupState } from "./backup-state.ts";
import { scheduleBackups } from "./schedule-backups.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "backups-"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true });
});

const LAST = { name: "2026-01-01T00-00-00Z", files: 0, bytes: 0, rows: 0, missing: 0, seconds: 0 };

function schedule(log: (line: string) => void = () => {}) {
  const settings = { everyMs: 7_200_000, keep: 1, to: { folder: join(dataDir, "kept") } };
  const source = { dataDir, databaseUrl: "postgres://nobody@localhost:1/none", filesInS3: false };
  return scheduleBackups(settings, { source, walArchive: null }, log);
}

test("a note that cannot be written ends nobody, and is written when it can be", async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  writeBackupState(dataDir, { since: later, last: { ...LAST, madeAt: later }, failure: null });
  const obstacle = join(dataDir, "last-backup.json.new");
  mkdirSync(obstacle);
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  process.on("unhandledRejection", note);
  const stop = schedule();
  await new Promise((resolve) => setImmediate(resolve));
  expect(faults).toEqual([]);
  rmdirSync(obstacle);
  vi.advanceTimersByTime(60_000);
  expect(Date.parse(readBackupState(dataDir)?.last?.madeAt ?? later)).toBeLessThanOrEqual(Date.now());
  await stop();
  process.off("unhandledRejection", note);
});

test("a time recorded by a clock far ahead counts from now on, not from when that time comes", () => {
  const [past, now, ahead] = [
    "2026-01-01T00:00:00.000Z",
    "2026-11-01T00:00:00.000Z",
    "2099-01-01T00:00:00.000Z",
  ];
  const stateAt = (time: string) => ({
    since: past,
    last: { ...LAST, madeAt: time },
    failure: { at: time, reason: "the disk was full" },
  });
  writeBackupState(dataDir, stateAt(ahead));
  dropFutureTimes(dataDir, Date.parse(now));
  expect(readBackupState(dataDir)).toEqual(stateAt(now));
});

test("if the last backup's disk is away, none is written into its place; that and its return are logged, and then one is begun", async () => {
  const kept = join(dataDir, "kept");
  mkdirSync(kept);
  const madeAt = "2026-01-01T00:00:00Z";
  writeBackupState(dataDir, { since: madeAt, last: { ...LAST, madeAt }, failure: null, folder: kept });
  const lines: string[] = [];
  const stop = schedule((line) => void lines.push(line));
  await expect
    .poll(() => lines)
    .toEqual([
      `No backup was made: ${kept} does not contain the backup ${LAST.name} that was written there. Mount its disk, or remove last-backup.json in the data folder to start over.`,
    ]);
  expect(readBackupState(dataDir)?.failure).toMatchObject({ isAway: true });
  expect(readdirSync(kept)).toEqual([]);
  mkdirSync(join(kept, LAST.name));
  writeFileSync(join(kept, LAST.name, "backup.json"), "");
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => lines[1]).toBe("The backups are available again");
  // Begun, since it is due: there is no database here.
  await expect.poll(() => lines[2]).toMatch(`The backup failed; the last good one is ${LAST.name}: `);
  expect(readBackupState(dataDir)?.failure?.isAway).toBeUndefined();
  await stop();
});
