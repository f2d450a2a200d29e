import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning, postmasterOf } from "#tests/helpers/processes.ts";
import { until } from "./until.ts";

const siteOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number)
    .find((child) => child > 0 && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("server/main.ts"));

test("interrupting the rounds leaves no site running, even before it is open", {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "interrupted-"));
  // PostgreSQL has its own account, which needs to traverse this folder to its socket.
  chmodSync(folder, 0o755);
  const rounds = spawn(process.execPath, ["tests/faults/main.ts", "--only=cut", "--rounds=1"], {
    env: { ...process.env, TMPDIR: folder },
    stdio: "ignore",
  });
  try {
    const ended = once(rounds, "exit");
    const dataDir = () => readdirSync(folder).find((name) => /^faults-(?!log)/.test(name)) ?? "";
    let postmaster = 0;
    await until("PostgreSQL runs", () => {
      if (!existsSync(join(folder, dataDir(), "postgres", "postmaster.pid"))) return false;
      postmaster = postmasterOf(join(folder, dataDir()));
      return isRunning(postmaster);
    });
    const site = siteOf(rounds.pid as number) as number;
    expect(isRunning(site)).toBe(true);
    rounds.kill("SIGTERM");
    expect(await ended).toEqual([130, null]);
    expect([isRunning(site), isRunning(postmaster)]).toEqual([false, false]);
    expect(readdirSync(join(folder, dataDir()))).toEqual([]);
  } finally {
    rounds.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
