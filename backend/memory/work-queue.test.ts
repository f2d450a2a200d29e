import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

const refusal = (whose: string) => new Error(`full: ${whose}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("clients with many or long tasks wait behind all others, and are refused beyond their limit", async () => {
  const queue = createWorkQueue({ workers: 1, waiting: 3, refusal });
  const done: string[] = [];
  const ask = (who: string, name: string, milliseconds: number) =>
    queue.run(who, async () => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      done.push(name);
    });
  const asked = [
    ...["a1", "a2", "a3", "a4"].map((name) => ask("a", name, 100)),
    expect(ask("a", "a5", 100)).rejects.toThrow("full: client"),
    ...["b1", "b2", "b3"].map((name) => ask("b", name, 60)),
    ask("c", "c1", 10),
  ];
  await vi.runAllTimersAsync();
  await Promise.all(asked);
  expect(done).toEqual(["a1", "b1", "c1", "b2", "a2", "b3", "a3", "a4"]);
});

test("a failed task makes room for the next", async () => {
  const queue = createWorkQueue({ workers: 1, waiting: 1, refusal });
  const failing = queue.run("a", () => Promise.reject(new Error("torn")));
  const next = queue.run("a", async () => "done");
  await expect(failing).rejects.toThrow("torn");
  expect(await next).toBe("done");
});

test("however many clients there are, the total of queued tasks is limited", async () => {
  const queue = createWorkQueue({ workers: 1, waiting: 3, waitingInAll: 2, refusal });
  const asked = ["a", "b", "c"].map((who) => queue.run(who, async () => who));
  await expect(queue.run("d", async () => "d")).rejects.toThrow("full: everybody");
  expect(await Promise.all(asked)).toEqual(["a", "b", "c"]);
  expect(await queue.run("d", async () => "d")).toBe("d");
});

test("a task that waits too long is refused, and the next one takes its place", async () => {
  const queue = createWorkQueue({ workers: 1, longestWait: 50, refusal });
  const slow = queue.run("a", () => new Promise((resolve) => setTimeout(resolve, 80, "slow")));
  const late = expect(queue.run("b", async () => "late")).rejects.toThrow("full: time");
  await vi.advanceTimersByTimeAsync(60);
  await late;
  const next = queue.run("b", async () => "next");
  await vi.runAllTimersAsync();
  expect(await Promise.all([slow, next])).toEqual(["slow", "next"]);
});

test("tasks of a kind known to be short share a worker; longer ones wait until it is free", async () => {
  const queue = createWorkQueue({ workers: 1, together: 3, refusal });
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  let running = 0;
  const atOnce: number[] = [];
  const ask = (kind: string, milliseconds: number) =>
    queue.runShared("a", kind, async () => {
      atOnce.push(++running);
      await pause(milliseconds);
      running--;
    });
  const finish = async (...asked: Promise<unknown>[]) => {
    await vi.runAllTimersAsync();
    await Promise.all(asked);
    return atOnce.splice(0);
  };
  // Nothing is known of either kind at first.
  expect(await finish(ask("short", 1), ask("long", 50))).toEqual([1, 1]);
  const short = () => Array.from({ length: 5 }, () => ask("short", 1));
  expect(await finish(ask("long", 50), ...short())).toEqual([1, 1, 2, 3, 3, 3]);
});
