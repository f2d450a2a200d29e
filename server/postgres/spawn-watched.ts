import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { SystemUser } from "./database-user.ts";

/**
 * A shell that becomes the program and leaves a watcher behind, which reads a pipe from this process. However this
 * process ends, kill -9 included, the kernel closes the pipe and the watcher interrupts the program: PostgreSQL then
 * does a fast shutdown, and initdb removes what it has made. Until it has ended, as initdb hears nothing while it tries
 * out settings.
 */
const RUN_WATCHED =
  'exec 3<&0; (trap "" INT TERM HUP; read -r _ <&3; while kill -INT $$ 2>/dev/null; do sleep 0.2; done) & exec 3<&- </dev/null; exec "$@"';

type Outputs = [stdout: number | "ignore", stderr: number | "pipe"];

export type WatchedOptions = {
  /** Where it runs. */
  cwd: string;
  user: SystemUser | null;
  outputs: Outputs;
} & Pick<SpawnOptions, "env">;

/**
 * Starts a program of PostgreSQL in a session of its own, so that a Ctrl-C at the terminal reaches only this process,
 * which stops the program when it is time.
 */
export function spawnWatched(command: string[], { cwd, user, outputs, env }: WatchedOptions): ChildProcess {
  const child = spawn("/bin/sh", ["-c", RUN_WATCHED, "sh", ...command], {
    cwd,
    ...user,
    detached: true,
    stdio: ["pipe", ...outputs],
    env,
  });
  child.stdin?.on("error", () => {});
  child.once("exit", () => child.stdin?.destroy());
  return child;
}
