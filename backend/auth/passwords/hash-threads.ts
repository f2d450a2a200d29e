import { Worker } from "node:worker_threads";
import type { HashResult, HashTask } from "./hash-thread.ts";

const PROGRAM = new URL("./hash-thread.ts", import.meta.url);
/** A small V8 heap, since the thread only passes strings. */
const LEAN = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

export type HashThreads = {
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash. */
  verify(password: string, stored: string): Promise<boolean>;
};

/** A thread, and the callback for its current task. */
type Thread = { worker: Worker; settle: (result: HashResult) => void };

/**
 * Hashing threads, started on demand, one per concurrent task: the caller limits the number. They run at a lower
 * priority than the serving threads.
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
