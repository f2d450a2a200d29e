import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLACEMENT_SIZES } from "#app/features/ads/placement.ts";
import { PARTNER_MAX } from "#app/features/trade-history/trade-queries.ts";
import { GRID_COLUMNS } from "#app/routes/admin/items/grid/model/columns.ts";
import { PHRASE_THEMES } from "#domain/chat/phrase-themes.ts";
import { REACTIONS } from "#domain/chat/reactions.ts";
import { CONFIGURED_PAGES, FIELD_NAMES } from "#domain/fields/field-visibility.ts";
import { FIELD_TYPES } from "#domain/fields/new-custom-field.ts";
import { DEMANDS } from "#domain/items/demand.ts";
import { ITEM_TYPES } from "#domain/items/item-type.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import { REPORT_CODES, REPORT_KINDS } from "#domain/moderation/report-code.ts";
import { SANCTIONS } from "#domain/moderation/sanction.ts";
import { AGE_BANDS } from "#domain/people/age-bands.ts";
import { AVATAR_COLORS } from "#domain/people/avatar.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { SLUG_PATTERN } from "#domain/text/slug.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS, asPerson, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin");
  await client.query("insert into public.page_configurations (page_name) values ('values')");
  await client.query("insert into public.field_definitions (name, label) values ('custom_one', 'One')");
  await client.query("insert into public.game_updates (name) values ('Update 26')");
  await client.query(
    "insert into public.contact_messages (name, email, subject, message) values ('A', 'a@b.c', 'S', 'M')",
  );
  await client.query("insert into public.chat_messages (user_id, message) values ($1, 'hi')", [
    ACCOUNTS.Ana.id,
  ]);
  await client.query(
    `with made as (
       insert into public.sanctions (user_id, kind, code, reason) values ($1, 'picture', 'other', 'rude') returning id
     )
     insert into public.appeals (sanction_id, message) select id, 'hi' from made`,
    [ACCOUNTS.Ben.id],
  );
  await client.query(
    "insert into public.trade_history (user_id, your_items, their_items) select $1, side, side from (select jsonb_build_array(jsonb_build_object('id', id)) as side from public.items limit 1) as sides",
    [ACCOUNTS.Ana.id],
  );
  await client.query("insert into public.user_ratings (rater_id, rated_user_id, rating) values ($1, $2, 5)", [
    ACCOUNTS.Ana.id,
    ACCOUNTS.Ben.id,
  ]);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Whether one row of the table accepts the value; the row is left unchanged. */
async function takes(table: string, column: string, value: unknown): Promise<boolean> {
  await client.query("savepoint one_value");
  const taken = await attempt(
    client,
    `update public.${table} set ${column} = $1 where ctid = (select min(ctid) from public.${table})`,
    [value],
  ).then(
    (result) => result.rowCount === 1,
    (error) => {
      expect(error.code).toMatch(/^(23514|22P02|22003)$/);
      return false;
    },
  );
  await client.query("rollback to savepoint one_value");
  return taken;
}

type TextLimit = { table: string; column: string; min?: number; max: number; letter?: string };
const { item, category, contact, chat, rating, customField, sanction, appeal } = LIMITS;
const CODE_POINT = "😀";

/** Every length limit of `domain/text/limits.ts` that the database also enforces. */
const TEXT_LIMITS: TextLimit[] = [
  { table: "items", column: "name", ...item.name },
  { table: "items", column: "slug", ...item.slug, letter: "a" },
  { table: "items", column: "current_value", ...item.valueText },
  { table: "items", column: "previous_value", ...item.valueText },
  { table: "items", column: "permanent_value", max: item.valueText.max },
  { table: "items", column: "permanent_previous_value", max: item.valueText.max },
  { table: "items", column: "beli_price", max: item.valueText.max },
  { table: "items", column: "robux_price", max: item.valueText.max },
  { table: "categories", column: "name", ...category.name },
  { table: "categories", column: "slug", ...category.slug, letter: "a" },
  { table: "categories", column: "icon", max: category.icon.max },
  { table: "chat_messages", column: "message", ...chat.message },
  { table: "ads", column: "ad_code", max: LIMITS.adCode.max },
  { table: "sanctions", column: "reason", ...sanction.reason },
  { table: "appeals", column: "message", ...appeal.message },
  { table: "user_ratings", column: "comment", max: rating.comment.max },
  { table: "contact_messages", column: "name", ...contact.name },
  { table: "contact_messages", column: "subject", ...contact.subject },
  { table: "contact_messages", column: "message", ...contact.message },
  { table: "field_definitions", column: "label", ...customField.name },
  { table: "trade_history", column: "trade_partner_email", max: PARTNER_MAX },
  { table: "profiles", column: "username", ...LIMITS.username, letter: "a" },
];

describe("lengths, in Unicode code points", () => {
  test.each(TEXT_LIMITS)("$table.$column", async ({ table, column, min, max, letter = CODE_POINT }) => {
    expect(await takes(table, column, letter.repeat(max + 1))).toBe(false);
    if (min) expect(await takes(table, column, letter.repeat(min - 1))).toBe(false);
    expect(await takes(table, column, letter.repeat(max))).toBe(true);
    expect(await takes(table, column, letter.repeat(min ?? 1))).toBe(true);
  });

  test("a required text may not be blank either", async () => {
    const needed = TEXT_LIMITS.filter(({ min, letter }) => min && !letter);
    for (const { table, column } of needed) expect(await takes(table, column, " \u00a0")).toBe(false);
  });

  test("an email address of the contact form", async () => {
    const address = (length: number) => `${"a".repeat(length - "@b.example".length)}@b.example`;
    expect(await takes("contact_messages", "email", address(contact.email.max + 1))).toBe(false);
    expect(await takes("contact_messages", "email", "abc")).toBe(false);
    expect(await takes("contact_messages", "email", address(contact.email.max))).toBe(true);
  });
});

describe("texts that an index holds", () => {
  const random = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x1f300 + Math.floor(Math.random() * 700))).join("");

  test("are refused by their own limit before they are too long for the index", async () => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select distinct relname as table, attname as column
       from pg_index join pg_class on pg_class.oid = indrelid
       join pg_attribute on attrelid = indrelid and attnum = any (indkey) and atttypid = 'text'::regtype
       where relnamespace = 'public'::regnamespace and has_column_privilege('authenticated', indrelid, attnum, 'insert, update')`,
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { table, column } of rows) {
      expect(await takes(table, column, random(50_000)), `${table}.${column}`).toBe(false);
      expect(await takes(table, column, `/${random(50_000)}`), `${table}.${column}`).toBe(false);
    }
  });

  test("may be as long as the address of a picture may be", async () => {
    expect(await takes("items", "image_url", `/${random(2047)}`)).toBe(true);
  });
});

test("a public name has the form of a username", async () => {
  const { rows } = await client.query(
    `select distinct replace(pg_get_constraintdef(oid), 'username', 'name') as form from pg_constraint
     where conname ~ '_has_3_to_20_letters_digits_or_underscores$'`,
  );
  const { min, max } = LIMITS.username;
  expect(rows).toEqual([{ form: `CHECK ((name ~ '^[A-Za-z0-9_]{${min},${max}}$'::text))` }]);
});

describe("slugs", () => {
  test.each(["items", "categories"])("%s", async (table) => {
    for (const slug of ["Big Fruit", "a_b", "é", "A", "a\n", "a", "a-1", "-"]) {
      expect(await takes(table, "slug", slug), slug).toBe(SLUG_PATTERN.test(slug));
    }
  });
});

describe("numbers", () => {
  test.each([
    ["categories", "display_order", category.displayOrder],
    ["user_ratings", "rating", rating.stars],
  ] as const)("%s.%s", async (table, column, { min, max }) => {
    for (const refused of [min - 1, max + 1, min + 0.5, "many"]) {
      expect(await takes(table, column, String(refused))).toBe(false);
    }
    expect(await takes(table, column, min)).toBe(true);
    expect(await takes(table, column, max)).toBe(true);
  });
});

test.each(["infinity", "-infinity", "294276-09-01", "4713-01-01 BC"])(
  "an update of the game does not happen at %s, which not every program can read",
  async (time) => {
    const add = "insert into public.game_updates (name, happened_at, volatile_until) values ('x', $1, $1)";
    await expect(attempt(client, add, [time])).rejects.toMatchObject({
      constraint: "game_updates_happened_in_this_century",
    });
  },
);

const PUBLISHED = GRID_COLUMNS.flatMap(({ field }) => (field && field !== "checked" ? [field] : []));

/** The lists of words that the code has, by the constraint that knows them. */
const WORDS: Record<string, readonly string[]> = {
  ads_placement_is_known: Object.keys(PLACEMENT_SIZES),
  age_bands_band_is_known: AGE_BANDS.map(({ value }) => value),
  chat_reactions_emoji_is_known: REACTIONS.map(([emoji]) => emoji),
  field_definitions_type_is_known: FIELD_TYPES,
  items_demand_is_known: DEMANDS,
  items_rarity_is_known: RARITIES,
  items_type_is_known: ITEM_TYPES,
  page_configurations_page_name_is_known: CONFIGURED_PAGES,
  quick_phrases_theme_is_known: PHRASE_THEMES.map(([theme]) => theme),
  // What a reader reports, and what the database reports itself.
  reports_kind_is_known: [...Object.keys(REPORT_KINDS), "refusals"],
  reports_code_is_known: REPORT_CODES,
  sanctions_code_is_known: REPORT_CODES,
  sanctions_kind_is_known: SANCTIONS,
  user_roles_role_is_known: ["admin", "editor", "moderator"],
  value_proposals_field_is_known: PUBLISHED,
};

describe("words", () => {
  /** A constraint, with the function that it calls. */
  async function definitionOf(constraint: string): Promise<string> {
    const { rows } = await client.query<{ definition: string }>(
      `select concat(pg_get_constraintdef(pg_constraint.oid), prosrc) as definition
       from pg_constraint
       left join pg_depend on classid = 'pg_constraint'::regclass and objid = pg_constraint.oid
         and refclassid = 'pg_proc'::regclass
       left join pg_proc on pg_proc.oid = refobjid
       where conname = $1`,
      [constraint],
    );
    return rows[0]?.definition ?? "";
  }

  test.each(Object.entries(WORDS))("%s, by the code and by the database", async (constraint, words) => {
    expect(words.length).toBeGreaterThan(1);
    const known = Array.from((await definitionOf(constraint)).matchAll(/'([^']+)'/g), ([, word]) => word);
    expect(known.toSorted()).toEqual(words.toSorted());
  });

  test("every field of the grid can be published, and every demand", async () => {
    const asked = [...PUBLISHED.map((field) => [field, "1M"]), ...DEMANDS.map((word) => ["demand", word])];
    const { rows } = await client.query(
      `select field, value, private.find_value_fault(field, value) as fault
       from unnest($1::text[], $2::text[]) as asked (field, value)
       where private.find_value_fault(field, value) is not null`,
      [asked.map(([field]) => field), asked.map(([, value]) => value)],
    );
    expect(rows).toEqual([{ field: "demand", value: "1M", fault: "Invalid demand level" }]);
  });

  test("each color of a picked drawing has its style, and may be stored", async () => {
    const css = readFileSync(resolve("app/features/profile/avatar-colors.css"), "utf8");
    const styled = Array.from(css.matchAll(/\[data-color="(\w+)"\]/g), ([, color]) => color);
    expect(styled).toEqual([...AVATAR_COLORS]);
    const definition = await definitionOf("profiles_avatar_url_is_a_drawing_or_a_picture_of_their_own");
    expect(definition).toContain(`#(${AVATAR_COLORS.join("|")})$`);
  });

  test("a page configuration accepts a list of names, and nothing but a list", async () => {
    for (const refused of [["name", null], [["a"], ["b"]], Array(201).fill("a")]) {
      expect(await takes("page_configurations", "visible_fields", refused)).toBe(false);
    }
    expect(await takes("page_configurations", "visible_fields", [])).toBe(true);
    expect(await takes("page_configurations", "visible_fields", [...FIELD_NAMES, "custom_origin"])).toBe(
      true,
    );
  });

  test("each placement of an ad exists, once and disabled", async () => {
    const { rows } = await client.query(
      "select placement, ad_code, enabled from public.ads order by placement",
    );
    expect(rows.map(({ placement }) => placement)).toEqual(Object.keys(PLACEMENT_SIZES).toSorted());
    expect(rows.every(({ ad_code, enabled }) => ad_code === "" && enabled === false)).toBe(true);
  });
});

describe("custom fields of an item", () => {
  test.each([
    ["an array", []],
    ["a text", "custom_a"],
    ["a key without the prefix", { origin: "sea" }],
    ["a bare prefix", { custom_: 1 }],
    ["a key with a space", { "custom_a b": 1 }],
    ["a key that is too long", { [`custom_${"a".repeat(customField.name.max + 1)}`]: 1 }],
    ["a nested object", { custom_a: { b: 1 } }],
    ["a list", { custom_a: [1] }],
    ["null", { custom_a: null }],
    ["too much of it", { custom_a: "x".repeat(10_001) }],
  ])("refuse %s", async (_, fields) => {
    expect(await takes("items", "custom_fields", JSON.stringify(fields))).toBe(false);
  });

  test("keep text, number and boolean with their types", async () => {
    const fields = {
      custom_origin: "Sea",
      custom_uses: 3,
      custom_rare: true,
      [`custom_${"é".repeat(customField.name.max)}`]: "",
    };
    expect(await takes("items", "custom_fields", JSON.stringify(fields))).toBe(true);
    expect(await takes("items", "custom_fields", "{}")).toBe(true);
  });
});

describe("field definitions", () => {
  test("the eight standard ones exist, in order, with their flags", async () => {
    const { rows } = await client.query(
      "select name, type, required, visible from public.field_definitions where name !~ '^custom_' order by display_order",
    );
    expect(rows.map(({ name, type, required }) => [name, type, required])).toEqual([
      ["name", "text", true],
      ["slug", "text", false],
      ["category_id", "select", true],
      ["rarity", "select", false],
      ["type", "select", false],
      ["demand", "select", false],
      ["current_value", "text", false],
      ["previous_value", "text", false],
    ]);
    expect(rows.every(({ visible }) => visible)).toBe(true);
  });

  test.each([
    ["a required field cannot be hidden", "set visible = false where name = 'name'"],
    ["name stays required", "set required = false where name = 'name'"],
    ["a field keeps its name", "set name = 'custom_other' where name = 'custom_one'"],
    ["an unknown standard field is refused", "set name = 'owner' where name = 'slug'"],
    ["options are a list of words", "set options = array[null]::text[] where name = 'rarity'"],
  ])("%s", async (_, change) => {
    await expect(attempt(client, `update public.field_definitions ${change}`)).rejects.toMatchObject({
      code: "23514",
    });
  });
});

describe("integer parameters of functions", () => {
  const WHOLE = "'integer'::regtype, 'bigint'::regtype, 'smallint'::regtype";

  /** One call for each integer parameter, with null for all others that have no default. */
  const findCalls = async () => {
    const { rows } = await client.query<{ call: string; type: string }>(
      `select format_type(asked.type, null) as type, 'select * from public.' || proname || '(' || (
         select string_agg(
           proargnames[at] || ' => ' || case when at = asked.at then '%' else 'null::' || format_type(other, null) end,
           ', '
         )
         from unnest(proargtypes::oid[]) with ordinality as others (other, at)
         where at = asked.at or at <= pronargs - pronargdefaults
       ) || ')' as call
       from pg_proc, unnest(proargtypes::oid[]) with ordinality as asked (type, at)
       where pronamespace = 'public'::regnamespace and asked.type in (${WHOLE})
         and has_function_privilege('authenticated', pg_proc.oid, 'execute')
       order by 2`,
    );
    return rows;
  };

  test("no value causes an internal PostgreSQL error", async () => {
    const calls = await findCalls();
    expect(calls.length).toBeGreaterThan(4);
    const faults: string[] = [];
    for (const { call, type } of calls) {
      const bits = { smallint: 16n, integer: 32n, bigint: 64n }[type] ?? 0n;
      for (const number of [-(2n ** (bits - 1n)), -1n, 0n, 2n ** (bits - 1n) - 1n]) {
        await asPerson(database.url, "Eve", async (eve) => {
          const asked = call.replace("%", `('${number}')::${type}`);
          await eve.query(asked).catch((error) => {
            if (/^(2[0-9A-Z]|XX)/.test(error.code)) faults.push(`${asked}: ${error.message}`);
          });
        });
      }
    }
    expect(faults).toEqual([]);
  });
});

describe("daily limits of a user", () => {
  // The sanction that it made would hold up renames.
  beforeAll(() => client.query("rollback"));

  const RENAME = "update public.profiles set username = $1 where id = auth.uid()";
  const RATE = `insert into public.user_ratings (rated_user_id, rating) values ('${ACCOUNTS.Eve.id}', $1)
    on conflict (rater_id, rated_user_id) do update set rating = excluded.rating`;

  test.each([
    ["renames", RENAME, 3, (turn: number) => `SwiftOtter${turn + 200}`],
    ["ratings", RATE, 30, (turn: number) => 1 + (turn % 5)],
  ])("%s, including those taken back", async (_, statement, most, value) => {
    await asPerson(database.url, "Ana", async (ana) => {
      for (let turn = 0; turn < most; turn += 1) await attempt(ana, statement, [value(turn)]);
      await ana.query("delete from public.user_ratings where rater_id = auth.uid()");
      await expect(attempt(ana, statement, [value(most)])).rejects.toMatchObject({
        code: "PT429",
        message: expect.stringMatching(new RegExp(` ${most} .*a day\\. Please try again tomorrow\\.$`)),
      });
      // Saving the current name again does not count as a change.
      if (statement === RENAME) await attempt(ana, statement, [value(most - 1)]);
      await becomeOwner(ana);
      await ana.query(
        "update private.daily_acts set done = array(select at - interval '24 hours' from unnest(done) as at)",
      );
      await become(ana, "Ana");
      expect((await attempt(ana, statement, [value(most)])).rowCount).toBe(1);
    });
  });
});

type Files = { maxBytes: number; types: readonly string[] };

test("every bucket holds what its form allows", async () => {
  const { rows } = await client.query(
    "select id, public, file_size_limit::int as max, allowed_mime_types as types from storage.buckets order by id",
  );
  const bucket = (id: string, isPublic: boolean, { maxBytes, types }: Files) => ({
    id,
    public: isPublic,
    max: maxBytes,
    types: [...types],
  });
  expect(rows).toEqual([
    bucket("archived-images", false, LIMITS.image),
    bucket("avatar-uploads", false, LIMITS.avatar),
    bucket("avatars", true, LIMITS.avatar),
    bucket("change-pictures", true, LIMITS.changePicture),
    bucket("change-uploads", false, LIMITS.changePicture),
    bucket("item-images", true, LIMITS.image),
  ]);
});
