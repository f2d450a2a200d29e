import { type ChildProcess, type ForkOptions, fork } from "node:child_process";

export type StartedProcess = {
  /** Null if it could not be started, for lack of memory, processes or file descriptors. */
  child: ChildProcess | null;
  /** Resolves with the reason for its exit, or why it could not be started. */
  ended: Promise<string>;
};

/** For a program that only talks over its IPC channel. */
export const SILENT: ForkOptions = { stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [] };

/** Starts one of our programs with an IPC channel. A failure looks like a process that has ended, and throws nothing. */
export function startProcess(program: string, options: ForkOptions = {}): StartedProcess {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  try {
    const child = fork(program, options);
    const isRunning = child.pid !== undefined;
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    // A running process also reports messages that it could not be sent, and ends by itself without its channel.
    child.on("error", ({ message }) => {
      if (!isRunning) resolve(message);
    });
    return { child: isRunning ? child : null, ended };
  } catch (error) {
    resolve((error as Error).message);
    return { child: null, ended };
  }
}
