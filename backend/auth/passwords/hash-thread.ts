import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { compareSync } from "@node-rs/bcrypt";
import { ARGON2ID, isBcrypt } from "./hash-kind.ts";

/** A password to hash, or to compare with a stored hash. */
export type HashTask = { password: string; stored: string | null };

/** The hash, or whether the password matches. */
export type HashResult = { done: string | boolean } | { failure: string };

/** How much nicer than the rest of the process, up to the maximum niceness. */
const LOWER_BY = 10;
const LOWEST = 19;

/** On Linux each thread has its own priority; elsewhere this would change that of the whole process. */
function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Math.min(LOWEST, getPriority() + LOWER_BY));
  } catch {
    // A sandbox may forbid it: the thread then runs at normal priority.
  }
}

function run({ password, stored }: HashTask): string | boolean {
  if (stored === null) return hashSync(password, ARGON2ID);
  return isBcrypt(stored) ? compareSync(password, stored) : verifySync(stored, password);
}

lowerPriority();
parentPort?.on("message", (task: HashTask) => {
  let result: HashResult;
  try {
    result = { done: run(task) };
  } catch (cause) {
    result = { failure: String((cause as Error).message) };
  }
  parentPort?.postMessage(result);
});
