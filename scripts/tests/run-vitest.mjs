import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { exitCodeOf, passSignals, pinnedNode, root } from "../run-command.mjs";

/** Longer than any test file takes: each prints a line when it ends. */
const SILENCE_MS = 5 * 60_000;
const STOP_MS = 20_000;

/**
 * Runs vitest on the files that `args` name, or on all; writes results.json into `folder`. Resolves with the exit code,
 * or with null after minutes without output: a worker stuck outside of any test's timeout would block the run forever.
 * In that case it prints the files that were running and kills all processes.
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
  const own = ["default", "json", "./scripts/tests/note-running-files.mjs"].map(
    (name) => `--reporter=${name}`,
  );
  return [...own, `--outputFile.json=${join(folder, "results.json")}`];
}

/** Vitest's output goes through a pipe, so it cannot detect a terminal by itself. */
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

/** A process in an endless loop does not handle SIGTERM. */
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

/** Whether the process is one of vitest's workers. */
function isWorker(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("vitest/dist/workers");
  } catch {
    return false;
  }
}
