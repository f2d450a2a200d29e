import { QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { browserGlobals, replaceProperties } from "#tests/helpers/browser-globals.ts";
import { createRefresher, followChanges } from "./follow-changes.ts";
import { createQueryClient, refresh } from "./query-client.ts";

/** Shows a query whose results the test supplies, one per fetch. */
function showRead(queryKey: readonly unknown[]) {
  const queries = createQueryClient();
  const answers: ((answer: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(queries, { queryKey, queryFn });
  observer.subscribe(() => undefined);
  return { queries, answers, shown: () => observer.getCurrentResult().data };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a thousand changes at once cause one read, and one more if they arrive during it", async () => {
  const { queries, answers, shown } = showRead(["items"]);
  answers[0]?.(0);
  await settle();
  const changed = createRefresher(queries);
  for (let row = 0; row < 1000; row += 1) changed("items");
  expect(answers.length).toBe(2);
  answers[1]?.(1);
  await settle();
  expect(answers.length).toBe(3);
  answers[2]?.(2);
  await settle();
  expect([answers.length, shown()]).toEqual([3, 2]);
});

test("a change during the first read causes another one after it; during a later read it replaces it", async () => {
  const { queries, answers, shown } = showRead(["categories"]);
  const followed = refresh(queries, "categories");
  answers[0]?.(0);
  await settle();
  expect([answers.length, shown()]).toEqual([2, 0]);
  const overtaking = refresh(queries, "categories");
  answers[2]?.(2);
  await Promise.all([followed, overtaking]);
  answers[1]?.(1);
  await settle();
  expect([answers.length, shown()]).toEqual([3, 2]);
});

test("dependent tables are read along with a changed one, and no others", async () => {
  const { queries, answers } = showRead(["archived_items", 24]);
  answers[0]?.(0);
  await settle();
  await refresh(queries, "categories");
  expect(answers.length).toBe(1);
  void refresh(queries, "items");
  expect(answers.length).toBe(2);
});

test("a channel that the server closed is replaced, until following stops", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(replaceProperties(browserGlobals()));
  const opened: { name: string; state: string }[] = [];
  const removed: unknown[] = [];
  const client = {
    channel(name: string) {
      const channel = {
        name,
        state: "joined",
        on: () => channel,
        subscribe(listener: (status: string) => void) {
          opened.push(channel);
          listener("SUBSCRIBED");
          return channel;
        },
      };
      return channel;
    },
    removeChannel: async (channel: unknown) => removed.push(channel),
  };
  const stop = followChanges(createQueryClient(), client as unknown as SessionClient, {
    channel: "admin",
    tables: ["items"],
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened.length).toBe(1);
  for (const channel of opened) channel.state = "closed";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened.length).toBe(2);
  expect(opened[1]?.name).not.toBe(opened[0]?.name);
  stop();
  expect(removed).toEqual([opened[1]]);
  for (const channel of opened) channel.state = "closed";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened.length).toBe(2);
});
