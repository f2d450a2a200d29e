import { expect, test } from "vitest";
import type { Database } from "#backend/postgres/database.ts";
import { openCluster } from "./cluster.ts";

test("while the database does not answer, what is for other processes is not kept without end", async () => {
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
    { onNews: () => {}, onNeed: () => needs.push("need"), onGone: () => {} },
  );
  await expect.poll(() => needs.length).toBe(1);
  say(`x 0 1 ${JSON.stringify({ from: "there", sign: "alive" })}`);
  const news = {
    kind: "broadcast" as const,
    room: "public:room",
    event: "word",
    json: "x".repeat(1_000_000),
  };
  for (let told = 0; told < 50; told++) cluster.tell(news);
  const all = setInterval(() => answer(), 1);
  const isNews = (values: unknown[]) => String(values[1]).length > 1_000_000;
  // Of fifty, those within the limit are said when it answers again, and then everything that still holds.
  await expect.poll(() => asked.filter(isNews).length).toBe(15);
  await expect.poll(() => asked.filter((values) => String(values[1]).includes("hello")).length).toBe(2);
  expect(needs.length).toBeGreaterThan(2);
  await cluster.close();
  clearInterval(all);
});
