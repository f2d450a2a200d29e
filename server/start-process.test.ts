import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const startWithoutDescriptors = `
  import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
  import { scheduleBackups } from "#server/backup/schedule-backups.ts";
  import { startProcess } from "#server/start-process.ts";
  import { keepArchive } from "#server/wal-archive/keep-archive.ts";
  import { createWorkerStarter } from "#server/workers/start-worker.ts";
  const log = (line) => console.log(line);
  const say = (name) => (error) => console.log(name + ": " + error.message);
  const dataDir = mkdtempSync("/tmp/processes-");
  const settings = { everyMs: 1, keep: 1, to: { folder: dataDir } };
  // It reads its record now, and starts its process once the descriptors are gone.
  const stop = scheduleBackups(settings, { source: { dataDir }, walArchive: null }, log);
  const held = [];
  try {
    for (;;) held.push(openSync("/dev/null"));
  } catch {}
  const { child, ended } = startProcess("it.ts");
  console.log(child);
  const archive = keepArchive({ folder: dataDir, commitsWait: true }, "", log).catch(say("archive"));
  const worker = createWorkerStarter({ environment: {} })(0);
  await Promise.all([ended.then(log), archive, worker.opened.catch(say("worker")), worker.end("stop")]);
  held.map(closeSync);
  await stop();
  rmSync(dataDir, { recursive: true });
`;

test("a process for which no file descriptors are left counts as ended, and ends nobody else", () => {
  const node = [process.execPath, "--input-type=module", "--eval", startWithoutDescriptors];
  const { stdout, stderr } = spawnSync("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...node], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const lines = stdout.replaceAll(process.execPath, "node").trim().split("\n").toSorted();
  expect(lines).toEqual([
    expect.stringContaining("The backup's record could not be written: EMFILE"),
    "archive: WAL_ARCHIVE_TO cannot be used: spawn node EMFILE",
    "null",
    "spawn node EMFILE",
    "worker: A worker process ended before it served (spawn node EMFILE).",
  ]);
});
