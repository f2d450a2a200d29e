import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { attempt, become } from "#tests/helpers/people.ts";
import { draft, editorsDatabase, publish, readItem, readProposals } from "./editors.ts";

const { as, asNed } = editorsDatabase();

const low = { slug: "buddha", field: "current_low" };
const high = { slug: "buddha", field: "current_high" };
const value = { slug: "buddha", field: "current_value" };
/** Buddha's range and value. */
const readRange = async (client: Client) => {
  const { current_low, current_value, current_high } = await readItem(client, "buddha");
  return [current_low, current_value, current_high];
};
const outcomes = (rows: { field: string; outcome: string; why: string | null }[]) =>
  Object.fromEntries(rows.map(({ field, outcome, why }) => [field, why ?? outcome]));

describe("an editor's range", () => {
  test("is published, however wide, and taken back", async () => {
    await asNed(async (client) => {
      const rows = await publish(client, [
        { ...low, value: "4M", was: null },
        { ...high, value: "90M", was: null },
      ]);
      expect(outcomes(rows)).toEqual({ current_low: "published", current_high: "published" });
      expect(await readRange(client)).toEqual(["4M", "10M", "90M"]);
      await attempt(client, "select public.roll_back_value_set($1)", [rows[0]?.set_id]);
      expect(await readRange(client)).toEqual([null, "10M", null]);
    });
  });

  test("must be numeric and contain its value; only the cells that do not are refused", async () => {
    await asNed(async (client) => {
      const rows = await publish(client, [
        { ...low, value: "11M", was: null },
        { ...high, value: "much", was: null },
        { ...value, value: "11M", was: "10M" },
        { slug: "rocket", field: "current_low", value: "9999M", was: null },
      ]);
      // Ranges are written after values, so this one already contains the new value.
      expect(rows.map(({ slug, field, outcome, why }) => [slug, field, outcome, why])).toEqual(
        expect.arrayContaining([
          ["buddha", "current_low", "published", null],
          ["buddha", "current_high", "refused", "Not a number"],
          ["buddha", "current_value", "published", null],
          ["rocket", "current_low", "refused", "The value would not lie between its lowest and highest"],
        ]),
      );
      expect(await readRange(client)).toEqual(["11M", "11M", null]);
    });
  });

  test("moves up and down with its value in one call, and is restored exactly", async () => {
    await asNed(async (client) => {
      await publish(client, [
        { ...low, value: "9M", was: null },
        { ...high, value: "10.5M", was: null },
      ]);
      for (const [lowest, middle, highest] of [
        ["11M", "12M", "13M"],
        ["8M", "8.5M", "9M"],
      ] as const) {
        const before = await readRange(client);
        const rows = await publish(client, [
          { ...low, value: lowest, was: "9M" },
          { ...value, value: middle, was: "10M" },
          { ...high, value: highest, was: "10.5M" },
        ]);
        expect(outcomes(rows)).toEqual({
          current_low: "published",
          current_value: "published",
          current_high: "published",
        });
        expect(await readRange(client)).toEqual([lowest, middle, highest]);
        await attempt(client, "select public.roll_back_value_set($1)", [rows[0]?.set_id]);
        expect(await readRange(client)).toEqual(before);
      }
    });
  });

  test("that a value change removes comes back when the change is taken back", async () => {
    await asNed(async (client) => {
      await publish(client, [{ ...low, value: "9.5M", was: null }]);
      const [row] = await publish(client, [{ ...value, value: "9M", was: "10M" }]);
      expect(await readRange(client)).toEqual([null, "9M", null]);
      await attempt(client, "select public.roll_back_value_set($1)", [row?.set_id]);
      expect(await readRange(client)).toEqual(["9.5M", "10M", null]);
    });
  });

  test("can be part of a set, in whatever order it was drafted", async () => {
    await asNed(async (client) => {
      const { rows } = await attempt(client, "select public.create_value_set('Update 25') as id");
      await draft(client, rows[0].id, [{ ...low, value: "11M", was: null }]);
      await draft(client, rows[0].id, [{ ...value, value: "12M", was: "10M" }]);
      await attempt(client, "select public.publish_value_set($1)", [rows[0].id]);
      expect(await readRange(client)).toEqual(["11M", "12M", null]);
      await attempt(client, "select public.roll_back_value_set($1)", [rows[0].id]);
      expect(await readRange(client)).toEqual([null, "10M", null]);
    });
  });

  test("of a new editor waits, even after its value has moved out of it", async () => {
    await as("Ned", async (client) => {
      const [row] = await publish(client, [{ ...low, value: "9M", was: null }]);
      expect(row).toMatchObject({ outcome: "waiting", why: "new_editor" });
      await become(client, "Eve");
      await client.query("update public.items set current_value = '8M' where slug = 'buddha'");
      const ids = (await readProposals(client)).map(({ id }) => id);
      const approve = async () =>
        (await attempt(client, "select outcome, why from public.approve_proposals($1)", [ids])).rows;
      expect(await approve()).toEqual([
        { outcome: "refused", why: "The value would not lie between its lowest and highest" },
      ]);
      expect(await readProposals(client)).toHaveLength(1);
      await client.query("update public.items set current_value = '9.5M' where slug = 'buddha'");
      expect(await approve()).toEqual([{ outcome: "published", why: null }]);
      expect(await readRange(client)).toEqual(["9M", "9.5M", null]);
    });
  });
});
