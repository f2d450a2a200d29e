import { expect, test } from "vitest";
import type { Member, StartWorker } from "./start-worker.ts";
import { superviseWorkers } from "./supervise-workers.ts";

/** Starts no processes; each worker opens and exits when the test says so. */
function createFakeStarter() {
  const started: { index: number; isRunning: boolean; open(): void; exit(): void }[] = [];
  const start: StartWorker = (index) => {
    const opened = Promise.withResolvers<{ address: string; operatorAddress: null }>();
    const ended = Promise.withResolvers<string>();
    const worker = {
      index,
      isRunning: true,
      open: () => opened.resolve({ address: "http://localhost", operatorAddress: null }),
      exit() {
        worker.isRunning = false;
        ended.resolve("SIGKILL");
      },
    };
    started.push(worker);
    const end = async () => worker.exit();
    return { opened: opened.promise, ended: ended.promise, end } as Partial<Member> as Member;
  };
  return { start, startedAt: (index: number) => started.filter((worker) => worker.index === index), started };
}

test("a worker that is replaced during the pause before its restart is not restarted as well", async () => {
  const { start, started, startedAt } = createFakeStarter();
  const lines: unknown[] = [];
  const supervised = superviseWorkers(start, 2, (line) => void lines.push(line));
  for (const worker of started) worker.open();
  const workers = await supervised;
  for (const index of [0, 1]) {
    startedAt(index).at(-1)?.exit();
    await expect.poll(() => startedAt(index)).toHaveLength(2);
  }
  // The second restart is not immediate, and that of index 1 comes after that of index 0.
  for (const index of [0, 1]) {
    startedAt(index).at(-1)?.exit();
    await expect.poll(() => lines).toHaveLength(3 + index);
  }
  const renewed = workers.renew();
  const successor = startedAt(0).at(-1);
  await expect.poll(() => startedAt(1), { timeout: 5_000 }).toHaveLength(3);
  successor?.open();
  await expect.poll(() => startedAt(1)).toHaveLength(4);
  startedAt(1).at(-1)?.open();
  await renewed;
  expect(started.filter(({ isRunning }) => isRunning)).toHaveLength(2);
  await workers.stop();
  expect(started.filter(({ isRunning }) => isRunning)).toEqual([]);
});
