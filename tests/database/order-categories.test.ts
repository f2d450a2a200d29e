import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { attempt } from "#tests/helpers/people.ts";

const { as } = ownDatabase();

async function readOrder(client: Client): Promise<string[]> {
  const { rows } = await client.query("select id from public.categories order by display_order, name");
  return rows.map(({ id }) => id);
}

const order = (client: Client, ids: readonly string[]) =>
  attempt(client, "select public.order_categories($1)", [ids]);

test("one call orders all categories", async () => {
  await as("Eve", async (client) => {
    const before = await readOrder(client);
    const after = before.toReversed();
    await order(client, after);
    expect(await readOrder(client)).toEqual(after);
    const { rows } = await client.query("select display_order from public.categories order by 1");
    expect(rows.map(({ display_order }) => display_order)).toEqual(before.map((_, index) => index + 1));
  });
});

test("an order with a missing, duplicate or unknown category is refused and changes nothing", async () => {
  await as("Eve", async (client) => {
    const [first = "", ...others] = await readOrder(client);
    const stranger = "10000000-0000-4000-8000-00000000000c";
    for (const ids of [others, [first, first, ...others], [stranger, ...others], []]) {
      await expect(order(client, ids)).rejects.toMatchObject({
        code: "PT409",
        message: "There are other categories by now. Please move this one again.",
      });
    }
    expect(await readOrder(client)).toEqual([first, ...others]);
  });
});

test.each(["visitor", "Ana", "Mia"] as const)("%s may not order categories", async (person) => {
  await as(person, async (client) => {
    await expect(order(client, await readOrder(client))).rejects.toMatchObject({ code: "42501" });
  });
});
