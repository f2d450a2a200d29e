import { expect, test } from "vitest";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { holds } from "./holds.ts";
import { addOnce } from "./use-repeatable.ts";

type Row = { slug: string; value: string };
const client = {} as SessionClient;

/** A form's table, and a press of its button. */
function table() {
  const rows: Row[] = [];
  const lost = { current: [] as readonly Row[] };
  let isAway = false;
  const work = {
    async add(_: SessionClient, input: Row, isRepeat: boolean) {
      const there = rows.find(({ slug }) => slug === input.slug);
      if (there && !(isRepeat && holds(there, input))) throw new Error("taken");
      if (!there) rows.push(input);
      if (isAway) throw new TypeError("Failed to fetch");
    },
    find: async (_: SessionClient, { slug }: Row) => rows.find((row) => row.slug === slug) ?? null,
  };
  return {
    rows,
    press: (input: Row) => addOnce(client, input, lost, work),
    async pressAndLose(input: Row) {
      isAway = true;
      await expect(addOnce(client, input, lost, work)).rejects.toThrow("fetch");
      isAway = false;
    },
  };
}

const compass = { slug: "compass", value: "1M" };

test("what was stored although the answer was lost is added once by the same input again", async () => {
  const { rows, press, pressAndLose } = table();
  await pressAndLose(compass);
  await press(compass);
  expect(rows).toEqual([compass]);
  await expect(press({ ...compass, value: "2M" })).rejects.toThrow("taken");
});

test("and not added twice under another key, unless that is meant", async () => {
  const { rows, press, pressAndLose } = table();
  await pressAndLose(compass);
  const other = { ...compass, slug: "old-compass" };
  await expect(press(other)).rejects.toThrow("The first attempt was stored");
  expect(rows).toEqual([compass]);
  await press(other);
  expect(rows).toEqual([compass, other]);
});

test("an attempt that never arrived is in nobody's way", async () => {
  const { rows, press, pressAndLose } = table();
  await pressAndLose(compass);
  rows.pop();
  await press({ ...compass, slug: "old-compass" });
  expect(rows.map(({ slug }) => slug)).toEqual(["old-compass"]);
});
