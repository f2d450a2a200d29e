import { Worker } from "node:worker_threads";
import type { HashResult, HashTask } from "./hash-thread.ts";

const PROGRAM = new URL("./hash-thread.ts", import.meta.url);
/** An instance of V8 that only hands texts over. */
const LEAN = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export type HashThreads = {
  hash(password: string): Promise<string>;
  /** Whether the hash is of the password. */
  verify(password: string, stored: string): Promise<boolean>;
};

/** A thread, and who waits for what it does. */
type Thread = { worker: Worker; settle: (result: HashResult) => void };

/**
 * Threads that hash, as many as work at a time: whoever asks bounds that. They give way to all that serves, and none is
 * there before the first password.
 */
export function createHashThreads(): HashThreads {
  const idle = new Set<Thread>();

  function start(): Thread {
    const worker = new Worker(PROGRAM, { execArgv: [], resourceLimits: LEAN });
    const thread: Thread = { worker, settle: () => {} };
    worker.on("message", (result: HashResult) => {
      worker.unref();
      idle.add(thread);
      thread.settle(result);
    });
    const lose = () => {
      idle.delete(thread);
      thread.settle({ failure: "a thread that hashes ended" });
    };
    worker.on("error", lose).on("exit", lose);
    return thread;
  }

  function run<Done>(task: HashTask): Promise<Done> {
    return new Promise((resolve, reject) => {
      const [thread = start()] = idle;
      idle.delete(thread);
      thread.settle = (result) => {
        if ("done" in result) resolve(result.done as Done);
        else reject(new Error(result.failure));
      };
      thread.worker.ref();
      thread.worker.postMessage(task);
    });
  }

  return {
    hash: (password) => run({ password, stored: null }),
    verify: (password, stored) => run({ password, stored }),
  };
}
