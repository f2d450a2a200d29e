import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SLOTS_PER_SIDE } from "#domain/trades/trade-url.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS, asPerson, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

let database: TestDatabase;
let ids: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  ids = await asPerson(database.url, "visitor", async (client) => {
    const { rows } = await client.query("select slug, id from public.items");
    return Object.fromEntries(rows.map(({ slug, id }) => [slug, id]));
  });
});
afterAll(() => database.drop());

const asAna = <Result>(scene: (client: Client) => Promise<Result>) => asPerson(database.url, "Ana", scene);

const entry = (slug: string, more: object = {}) => ({
  id: ids[slug],
  name: "Forged",
  value: 1,
  viewMode: "regular",
  ...more,
});

/** Saves a trade as the calculator does, but with forged totals, and returns the stored row. */
async function save(client: Client, yours: unknown, theirs: unknown, more: Record<string, unknown> = {}) {
  const row = {
    user_id: ACCOUNTS.Ana.id,
    your_items: JSON.stringify(yours),
    their_items: JSON.stringify(theirs),
    your_total: 1,
    their_total: 1,
    ...more,
  };
  const names = Object.keys(row);
  const { rows } = await attempt(
    client,
    `insert into public.trade_history (${names}) values (${names.map((_, index) => `$${index + 1}`)})
     returning *, your_total::float, their_total::float`,
    Object.values(row),
  );
  return rows[0];
}

const NO_SIDE = `your_items must be a list of 1 to ${SLOTS_PER_SIDE} items`;

describe("a trade is refused", () => {
  test.each<[string, () => unknown, string]>([
    ["with an empty side", () => [], NO_SIDE],
    [
      "with more items than a side has slots",
      () => Array(SLOTS_PER_SIDE + 1).fill(entry("kitsune")),
      NO_SIDE,
    ],
    ["with no list", () => ({ id: ids.kitsune }), NO_SIDE],
    [
      "with an entry that is no object",
      () => ["kitsune"],
      "Each entry of your_items must be an object with the id of an item",
    ],
    [
      "with an unknown id, saying which",
      () => [entry("kitsune"), { id: ACCOUNTS.Ana.id, name: "Golden Duck" }],
      "your_items has an item that is not in the catalogue: Golden Duck",
    ],
    [
      "with an id that is none",
      () => [{ id: "1; drop table items" }],
      "your_items has an item that is not in the catalogue: 1; drop table items",
    ],
    [
      "with an unknown name and no id",
      () => [{ name: "Golden Duck", quantity: 2 }],
      "your_items has an item that is not in the catalogue: Golden Duck",
    ],
    ["with neither", () => [{}], "your_items has an item that is not in the catalogue: no id and no name"],
    [
      "with an unknown mode",
      () => [entry("kitsune", { viewMode: "best" })],
      "viewMode of Kitsune must be regular or permanent",
    ],
    ...[0, -1, 1.5, 1000, "many", 1e300].map((quantity): [string, () => unknown, string] => [
      `with quantity ${quantity}`,
      () => [entry("kitsune", { quantity })],
      "quantity of Kitsune must be a whole number from 1 to 999",
    ]),
  ])("%s", async (_, yours, message) => {
    await asAna(async (client) => {
      await expect(save(client, yours(), [entry("kitsune")])).rejects.toMatchObject({
        code: "22023",
        message,
      });
    });
  });

  test("in another's name", async () => {
    await asAna(async (client) => {
      const bens = { user_id: ACCOUNTS.Ben.id };
      await expect(save(client, [entry("kitsune")], [entry("kitsune")], bens)).rejects.toMatchObject({
        code: "42501",
      });
    });
  });

  test("with a client-set version, flag or time", async () => {
    await asAna(async (client) => {
      for (const forged of [{ version: 0 }, { has_unpriced: false }, { created_at: new Date(0) }]) {
        await expect(save(client, [entry("kitsune")], [entry("kitsune")], forged)).rejects.toMatchObject({
          code: "42501",
        });
      }
    });
  });

  test("with a partner name that is too long", async () => {
    await asAna(async (client) => {
      const partner = { trade_partner_email: "x".repeat(256) };
      await expect(save(client, [entry("kitsune")], [entry("kitsune")], partner)).rejects.toMatchObject({
        code: "23514",
      });
    });
  });
});

test("a user can keep 5000 trades, and one more after deleting one", async () => {
  await asAna(async (client) => {
    await becomeOwner(client);
    const { rows } = await client.query(
      `insert into public.trade_history (user_id, your_items, their_items)
       select $1, side, side from jsonb_build_array('{"name":"Kitsune","quantity":1}'::jsonb) as side, generate_series(1, 5000)
       returning id`,
      [ACCOUNTS.Ana.id],
    );
    await become(client, "Ana");
    const saveOne = () => save(client, [entry("kitsune")], [entry("kitsune")]);
    await expect(saveOne()).rejects.toMatchObject({
      message: "You can keep up to 5000 saved trades: delete one to save another",
    });
    await client.query("delete from public.trade_history where id = $1", [rows[0].id]);
    expect((await saveOne()).version).toBe(1);
    await expect(saveOne()).rejects.toMatchObject({ code: "23514" });
  });
});

describe("a saved trade", () => {
  test("has the catalog's names, values and totals, whatever was sent", async () => {
    await asAna(async (client) => {
      const trade = await save(
        client,
        [entry("kitsune"), entry("kitsune", { viewMode: "permanent" })],
        [entry("west-dragon", { id: ids["west-dragon"]?.toUpperCase() }), { id: ids.control }],
      );
      expect(trade).toMatchObject({
        version: 1,
        your_items: [
          { id: ids.kitsune, name: "Kitsune", value: "640M", viewMode: "regular" },
          { id: ids.kitsune, name: "Kitsune", value: "6.24B", viewMode: "permanent" },
        ],
        their_items: [
          { id: ids["west-dragon"], name: "West Dragon", value: "3.91B", viewMode: "regular" },
          { id: ids.control, name: "Control", value: "160M", viewMode: "regular" },
        ],
        your_total: 6.88e9,
        their_total: 4.07e9,
        has_unpriced: false,
        trade_partner_email: null,
      });
      expect(Object.keys(trade.your_items[0]).sort()).toEqual(["id", "name", "value", "viewMode"]);
    });
  });

  test.each([
    ["an unpriced item", () => entry("eclipse"), "N/A"],
    ["an item without a value in that mode", () => entry("fruit-notifier", { viewMode: "permanent" }), null],
  ])("says that it cannot be judged with %s", async (_, unpriced, value) => {
    await asAna(async (client) => {
      const trade = await save(client, [entry("kitsune")], [unpriced(), entry("control")]);
      expect(trade).toMatchObject({ has_unpriced: true, your_total: 640e6, their_total: 160e6 });
      expect(trade.their_items[0].value).toBe(value);
    });
  });

  test("counts quantities, and finds an item by its name", async () => {
    await asAna(async (client) => {
      const trade = await save(
        client,
        [{ name: " kitsune ", quantity: 2 }],
        [entry("control", { quantity: 3 })],
      );
      expect(trade).toMatchObject({ version: 1, your_total: 1280e6, their_total: 480e6 });
      expect(trade.your_items).toEqual([
        { id: ids.kitsune, name: "Kitsune", value: "640M", viewMode: "regular", quantity: 2 },
      ]);
    });
  });

  test("stores Ana's trading partner, visible only to her", async () => {
    await asAna(async (client) => {
      const { id } = await save(client, [entry("kitsune")], [entry("control")], {
        trade_partner_email: "  Ben  ",
      });
      const read = () =>
        client.query("select trade_partner_email from public.trade_history where id = $1", [id]);
      expect((await read()).rows).toEqual([{ trade_partner_email: "Ben" }]);
      for (const other of ["Ben", "Eve"] as const) {
        await become(client, other);
        expect((await read()).rows).toEqual([]);
      }
    });
  });

  test("does not take its totals or partner from a server that writes it for Ana", async () => {
    await asPerson(database.url, "server", async (client) => {
      const trade = await save(client, [entry("kitsune")], [entry("control")], {
        trade_partner_email: "Ben",
      });
      expect(trade).toMatchObject({ your_total: 640e6, their_total: 160e6, trade_partner_email: null });
    });
  });

  test("is normalized even when Ana writes both sides in the older format", async () => {
    await asAna(async (client) => {
      const trade = await save(
        client,
        [{ name: "Kitsune", quantity: 2 }],
        [{ name: "Control", quantity: 1 }],
      );
      expect(trade).toMatchObject({ version: 1, your_total: 1280e6, their_total: 160e6 });
      await expect(
        save(client, [{ name: "Leopard", quantity: 2 }], [{ name: "Control", quantity: 1 }]),
      ).rejects.toMatchObject({ code: "22023" });
    });
  });

  test("goes with the account", async () => {
    await asAna(async (client) => {
      await save(client, [entry("kitsune")], [entry("control")]);
      await becomeOwner(client);
      await client.query("delete from auth.users where id = $1", [ACCOUNTS.Ana.id]);
      expect((await client.query("select from public.trade_history")).rowCount).toBe(0);
    });
  });
});

test("an imported older record keeps its entries and totals", async () => {
  await asAna(async (client) => {
    await becomeOwner(client);
    const older = [{ name: "Leopard", quantity: 2 }];
    const trade = await save(client, older, [{ name: "Kitsune", quantity: 1 }], {
      your_total: 500,
      their_total: 600,
    });
    expect(trade).toMatchObject({ version: 0, your_items: older, your_total: 500, their_total: 600 });
  });
});
