import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { runPostmaster } from "./postmaster.ts";

const folder = mkdtempSync(join(tmpdir(), "postmaster-"));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Recovers until the file `recovered` is there, and ends on the signal for a fast shutdown. */
const SLOW_TO_RECOVER = `#!/bin/sh
trap 'exit 0' INT
state() { printf '%s\\n' $$ . 0 0 . . . "$1" > "${folder}/postmaster.pid"; }
state starting
until [ -e "${folder}/recovered" ]; do sleep 0.02; done
state ready
while :; do sleep 0.02; done
`;

test("a recovery may take longer than a minute, and says so every minute", async () => {
  const program = join(folder, "postgres");
  writeFileSync(program, SLOW_TO_RECOVER);
  chmodSync(program, 0o700);
  const logFile = join(folder, "postgres.log");
  // Each look at the clock is a second later than the one before.
  let seconds = 0;
  vi.spyOn(performance, "now").mockImplementation(() => seconds++ * 1_000);
  const lines: string[] = [];
  const postmaster = await runPostmaster({
    program,
    folder,
    logFile,
    user: null,
    settings: {},
    report: (line) => {
      lines.push(line);
      if (lines.length === 2) writeFileSync(join(folder, "recovered"), "");
    },
  });
  await postmaster.stop();
  const line = (minutes: number) =>
    `PostgreSQL is still recovering, after ${minutes} min; ${logFile} says how far it is.`;
  expect(lines.slice(0, 2)).toEqual([line(1), line(2)]);
});
