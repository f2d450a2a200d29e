import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { compareSync } from "@node-rs/bcrypt";
import { ARGON2ID, isBcrypt } from "./hash-kind.ts";

/** A password to be hashed, or to be compared with a hash. */
export type HashTask = { password: string; stored: string | null };

/** The hash, or whether the password is that of the given one. */
export type HashResult = { done: string | boolean } | { failure: string };

/** Steps of niceness below the rest of the process, down to the last there is. */
const LOWER_BY = 10;
const LOWEST = 19;

/** Linux gives each thread a priority of its own; elsewhere it would be that of the whole process. */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Math.min(LOWEST, getPriority() + LOWER_BY));
  } catch {
    // A sandbox may forbid it: then it hashes beside the others, as fast as they work.
  }
}

function run({ password, stored }: HashTask): string | boolean {
  if (stored === null) return hashSync(password, ARGON2ID);
  return isBcrypt(stored) ? compareSync(password, stored) : verifySync(stored, password);
}

giveWay();
parentPort?.on("message", (task: HashTask) => {
  let result: HashResult;
  try {
    result = { done: run(task) };
  } catch (cause) {
    result = { failure: String((cause as Error).message) };
  }
  parentPort?.postMessage(result);
});
