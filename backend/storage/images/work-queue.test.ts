import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

test("who asks for much waits behind themselves, not in front of others, and is sent away in time", async () => {
  const queue = createWorkQueue({ workers: 1, waiting: 3 });
  const done: string[] = [];
  const ask = (who: string, name: string) =>
    queue.run(who, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      done.push(name);
    });
  const greedy = ["a1", "a2", "a3", "a4"].map((name) => ask("a", name));
  const tooMuch = ask("a", "a5");
  const modest = [ask("b", "b1"), ask("c", "c1")];
  await expect(tooMuch).rejects.toMatchObject({ statusCode: 429, headers: { "retry-after": "2" } });
  await Promise.all([...greedy, ...modest]);
  expect(done).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"]);
  const failing = queue.run("a", () => Promise.reject(new Error("torn")));
  await expect(failing).rejects.toThrow("torn");
  await ask("a", "after");
  expect(done.at(-1)).toBe("after");
});
