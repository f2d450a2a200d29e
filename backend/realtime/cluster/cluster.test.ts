import { expect, test } from "vitest";
import type { Database } from "#backend/postgres/database.ts";
import { openCluster } from "./cluster.ts";

test("while the database does not answer, the queue for other processes is bounded", async () => {
  const asked: unknown[][] = [];
  let answer = () => {};
  let say = (_payload: string | null) => {};
  const database = {
    query: (_text: string, values: unknown[]) => {
      asked.push(values);
      return new Promise<never[]>((resolve) => {
        answer = () => resolve([]);
      });
    },
    listen: async (_channel: string, hear: typeof say) => {
      say = hear;
      return { close: async () => {} };
    },
  } as unknown as Database;
  const needs: string[] = [];
  const cluster = openCluster(
    { database, id: "here", signOfLifeMs: 100 },
    { onMessage: () => {}, onStateRequested: () => needs.push("need"), onProcessGone: () => {} },
  );
  await expect.poll(() => needs.length).toBe(1);
  say(`x 0 1 ${JSON.stringify({ from: "there", sign: "welcome" })}`);
  const message = {
    kind: "broadcast" as const,
    room: "public:room",
    event: "word",
    json: "x".repeat(1_000_000),
  };
  for (let told = 0; told < 50; told++) cluster.publish(message);
  const all = setInterval(() => answer(), 1);
  const isMessage = (values: unknown[]) => String(values[1]).length > 1_000_000;
  // Of the fifty, those within the limit are sent once the database answers, then a hello and the full state.
  await expect.poll(() => asked.filter(isMessage).length).toBe(15);
  await expect.poll(() => asked.filter((values) => String(values[1]).includes("hello")).length).toBe(2);
  expect(needs.length).toBeGreaterThan(2);
  await cluster.close();
  clearInterval(all);
});

test("a process that stalled considers no active process gone, nor does one whose clock jumps", async () => {
  let say = (_payload: string | null) => {};
  const database = {
    query: async () => [],
    listen: async (_channel: string, hear: typeof say) => {
      say = hear;
      return { close: async () => {} };
    },
  } as unknown as Database;
  const gone: string[] = [];
  let isListening = false;
  const cluster = openCluster(
    { database, id: "here", signOfLifeMs: 50 },
    {
      onMessage: () => {},
      onStateRequested: () => {
        isListening = true;
      },
      onProcessGone: (process, isSilent) => gone.push(`${process} ${isSilent ? "is silent" : "said so"}`),
    },
  );
  await expect.poll(() => isListening).toBe(true);
  say(`x 0 1 ${JSON.stringify({ from: "there", sign: "welcome" })}`);
  const from = performance.now();
  while (performance.now() - from < 500);
  // Messages that arrived meanwhile are read after the first timer.
  await new Promise<void>((resolve) => setTimeout(resolve));
  expect(gone).toEqual([]);
  // A process that stays silent for several heartbeats of this one is gone all the same.
  await expect.poll(() => gone).toEqual(["there is silent"]);
  for (const sign of ["welcome", "hello"]) say(`${sign} 0 1 ${JSON.stringify({ from: "there", sign })}`);
  expect(gone).toEqual(["there is silent", "there said so"]);
  await cluster.close();
});

test("a process that was silent for too long without noticing publishes its state again", async () => {
  const listeners = new Set<(payload: string) => void>();
  let isMute = false;
  const databaseOf = (mayFail: boolean) =>
    ({
      query: async (_text: string, [, parts]: [string, string]) => {
        if (mayFail && isMute) return [];
        for (const part of JSON.parse(parts) as string[]) for (const hear of listeners) hear(part);
        return [];
      },
      listen: async (_channel: string, hear: (payload: string) => void) => {
        listeners.add(hear);
        return { close: async () => void listeners.delete(hear) };
      },
    }) as unknown as Database;
  const place = { ref: "1", key: "ana", meta: {} };
  const heard: string[] = [];
  const there = openCluster(
    { database: databaseOf(true), id: "there", signOfLifeMs: 20 },
    {
      onMessage: () => {},
      onStateRequested: () => there.publish({ kind: "presence", room: "deck", joins: [place], leaves: [] }),
      onProcessGone: () => {},
    },
  );
  const here = openCluster(
    { database: databaseOf(false), id: "here", signOfLifeMs: 20 },
    {
      onMessage: (_from, { kind }) => heard.push(kind),
      onStateRequested: () => {},
      onProcessGone: () => heard.push("gone"),
    },
  );
  await expect.poll(() => heard.at(-1)).toBe("presence");
  isMute = true;
  await expect.poll(() => heard.at(-1)).toBe("gone");
  isMute = false;
  await expect.poll(() => heard.at(-1)).toBe("presence");
  await there.close();
  await here.close();
});
