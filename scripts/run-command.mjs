import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** The repository's folder, with a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The Node version pinned in the packages, whichever Node runs this. */
export const pinnedNode = `${root}node_modules/.bin/node`;

/** Why a script cannot continue, as a sentence for the console. */
export class ScriptError extends Error {}

/** Runs a command quietly; shows its output only if it fails. */
export function runQuietly(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => reject(new ScriptError(`${command} cannot be run: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const ended = `${[command, ...args].join(" ")} ${describeEnd(code, signal)}`;
      reject(new ScriptError(`${output.trim()}\n${ended}.`));
    });
  });
}

/**
 * Runs a command in the foreground and resolves with its exit code, following shell conventions. Forwards signals; an
 * IPC channel lets the child notice if this process is killed.
 */
export async function runForeground(command, args, { env = {}, ipc = false } = {}) {
  const stdio = ipc ? ["inherit", "inherit", "inherit", "ipc"] : "inherit";
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio });
  passSignals(child);
  const exitCode = await exitCodeOf(child);
  // The program itself had no chance to say so.
  if (child.signalCode === "SIGKILL") console.error(`${command} ${describeEnd(null, child.signalCode)}.`);
  return exitCode;
}

/** Forwards termination signals to `child`. */
export function passSignals(child) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"])
    process.on(signal, () => child.kill(signal));
}

/** Resolves with a child's exit code, following shell conventions. */
export function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new ScriptError(`${child.spawnfile} cannot be run: ${error.message}`));
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function describeEnd(code, signal) {
  if (signal === "SIGKILL") return "was killed (SIGKILL), most often for lack of memory";
  return `ended with ${code ?? signal}`;
}

/** For those who look for an option such as --port. */
export const SETTINGS_HINT =
  ": settings are environment variables or lines of .env, and .env.example lists them";

/** @throws ScriptError if a command that takes no arguments got some, which it would ignore */
export function requireNoArguments(command, hint = "") {
  if (process.argv.length > 2) throw new ScriptError(`${command} takes no arguments${hint}.`);
}

/** Runs a script's main function and exits with its code; a ScriptError is shown without a stack trace. */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? process.exitCode;
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error);
    process.exitCode = 1;
  }
}
