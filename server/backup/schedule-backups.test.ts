import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readBackupState, writeBackupState } from "./backup-state.ts";
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

test("a note that cannot be written ends nobody, and is written when it can be", async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const last = { name: "", madeAt: later, files: 0, bytes: 0, rows: 0, missing: 0, seconds: 0 };
  writeBackupState(dataDir, { since: later, last, failure: null });
  const obstacle = join(dataDir, "last-backup.json.new");
  mkdirSync(obstacle);
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  process.on("unhandledRejection", note);
  const stop = scheduleBackups(
    { everyMs: 7_200_000, keep: 1, to: { folder: join(dataDir, "kept") } },
    { source: { dataDir, databaseUrl: "", filesInS3: false }, walArchive: null },
    () => {},
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(faults).toEqual([]);
  rmdirSync(obstacle);
  vi.advanceTimersByTime(60_000);
  expect(Date.parse(readBackupState(dataDir)?.last?.madeAt ?? later)).toBeLessThanOrEqual(Date.now());
  await stop();
  process.off("unhandledRejection", note);
});
