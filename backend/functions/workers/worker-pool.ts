import type { HttpResponse } from "#backend/http/http-message.ts";
import { createWorkQueue } from "#backend/memory/work-queue.ts";
import { tooManyRequests } from "../answers/function-error.ts";
import type { DeclaredFunction } from "../declared/declared-functions.ts";
import type { FunctionLimits } from "../functions-config.ts";
import type { FunctionCall, FunctionWorker } from "./function-worker.ts";

/** The workers of all functions: some busy, some idle and kept for the next request to their function. */
export type WorkerPool = {
  /** @param who key for fair queueing when all workers are busy */
  call(who: string, target: DeclaredFunction, request: FunctionCall): Promise<HttpResponse>;
  /** Restarts workers, so that later requests use new ones. */
  renew(): void;
  close(): Promise<void>;
};

type Waiting = { name: string; worker: FunctionWorker; timer: NodeJS.Timeout };

export function createWorkerPool(
  start: (target: DeclaredFunction) => FunctionWorker,
  limits: FunctionLimits,
): WorkerPool {
  const queue = createWorkQueue({
    workers: limits.workers,
    waiting: limits.waiting,
    waitingInAll: limits.waitingInAll,
    longestWait: limits.longestWait * 1000,
    refusal: tooManyRequests,
  });
  const alive = new Set<FunctionWorker>();
  /** Longest idle first. */
  const waiting = new Set<Waiting>();
  let generation = 0;

  function take(target: DeclaredFunction): FunctionWorker {
    for (const one of waiting) if (!one.worker.isAlive()) forget(one);
    const found = [...waiting].findLast(({ name }) => name === target.name);
    if (found) return forget(found);
    const idle = [...waiting];
    // One whose function left no work behind, if there is one.
    const oldest = idle.find(({ worker }) => !worker.isBusy()) ?? idle[0];
    if (oldest && alive.size >= limits.workers) forget(oldest).end();
    const worker = start(target);
    alive.add(worker);
    void worker.ended.then(() => alive.delete(worker));
    return worker;
  }

  function forget(one: Waiting): FunctionWorker {
    clearTimeout(one.timer);
    waiting.delete(one);
    return one.worker;
  }

  function keep(name: string, worker: FunctionWorker): void {
    if (!worker.isAlive()) return;
    const idleSince = performance.now();
    const expire = () => {
      const isOver = performance.now() - idleSince > limits.wallTime * 1000;
      if (worker.isBusy() && !isOver) one.timer = later();
      else forget(one).end();
    };
    const later = () => setTimeout(expire, limits.idleTime * 1000).unref();
    const one: Waiting = { name, worker, timer: later() };
    waiting.add(one);
  }

  return {
    call: (who, target, request) =>
      new Promise((resolve, reject) => {
        const work = async () => {
          const startedIn = generation;
          const worker = take(target);
          const { answer, done } = worker.call(request);
          answer.then(resolve, reject);
          await done;
          if (startedIn === generation) keep(target.name, worker);
          else worker.end();
        };
        queue.run(who, work).catch(reject);
      }),
    renew() {
      generation++;
      for (const one of waiting) forget(one).end();
    },
    async close() {
      generation++;
      const all = [...alive];
      for (const worker of all) worker.end();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
