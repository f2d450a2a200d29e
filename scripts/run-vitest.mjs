import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { exitCodeOf, passSignals, pinnedNode, root } from "./run-command.mjs";

/** Longer than any test file takes: each prints a line when it ends. */
const SILENCE_MS = 5 * 60_000;
const STOP_MS = 20_000;

/**
 * Runs vitest over the files that `args` name, or all; `folder` takes its results.json. Resolves with the exit code, or
 * with null when nothing was heard of it for minutes: a worker that is stuck outside of any test's time limit would hold
 * the run for ever. Then it is told which files were under way, and all processes are ended.
 */
export async function runVitest(folder, args, env = {}, silence = SILENCE_MS) {
  const command = [`${root}node_modules/.bin/vitest`, "run", ...reporters(folder), ...args];
  const vitest = spawn(pinnedNode, command, {
    cwd: root,
    env: { ...process.env, ...colors(), ...env, RUNNING_TEST_FILES: runningFiles(folder) },
    stdio: ["inherit", "pipe", "inherit"],
  });
  passSignals(vitest);
  const ended = exitCodeOf(vitest);
  const isSilent = await Promise.race([ended.then(() => false), untilSilent(vitest.stdout, silence)]);
  if (!isSilent) return ended;
  describeStuck(folder, silence);
  await end(vitest, ended);
  return null;
}

const runningFiles = (folder) => join(folder, "running-files");

function reporters(folder) {
  const own = ["default", "json", "./scripts/note-running-files.mjs"].map((name) => `--reporter=${name}`);
  return [...own, `--outputFile.json=${join(folder, "results.json")}`];
}

/** What vitest prints goes through a pipe, so it cannot see by itself that somebody looks at a terminal. */
function colors() {
  return process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
}

function untilSilent(output, silence) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), silence);
    output.on("data", (text) => {
      process.stdout.write(text);
      timer.refresh();
    });
    output.once("end", () => clearTimeout(timer));
  });
}

function describeStuck(folder, silence) {
  const files = readFileSync(runningFiles(folder), "utf8").split("\n").join(", ");
  console.error(`Nothing was heard of the tests for ${silence / 60_000} min. Under way: ${files || "none"}.`);
}

/** Whoever is in an endless loop hears no SIGTERM. */
async function end(vitest, ended) {
  const workers = childrenOf(vitest.pid).filter(isWorker);
  vitest.kill("SIGTERM");
  await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })]);
  vitest.kill("SIGKILL");
  for (const pid of workers.filter(isWorker)) process.kill(pid, "SIGKILL");
}

function childrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

/** Whether it is a process that vitest runs test files in. */
function isWorker(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("vitest/dist/workers");
  } catch {
    return false;
  }
}
