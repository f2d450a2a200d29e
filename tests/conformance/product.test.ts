import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProduct, type RestTestServer } from "./rest-server.ts";

let product: RestTestServer;
let owner: Client;
let tables: string[];

beforeAll(async () => {
  product = await openProduct();
  owner = new Client({ connectionString: product.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  );
  tables = rows.map((row) => row.name);
});
afterAll(async () => {
  await owner.end();
  await product.close();
});

async function contents(): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await owner.query(
      `select md5(string_agg(t::text, ',' order by t::text)) as sum from public.${table} t`,
    );
    sums[table] = rows[0].sum;
  }
  return sums;
}

/** A row that is valid except for who sends it, so that nothing else causes the refusal. */
async function rowLike(table: string): Promise<Record<string, unknown>> {
  const { rows } = await owner.query(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and identity_generation is null limit 1`,
    [table],
  );
  return { [rows[0].name]: null };
}

async function firstColumn(table: string): Promise<string> {
  const [column] = Object.keys(await rowLike(table));
  return column as string;
}

test("this test covers every table of the product", () => {
  expect(tables).toEqual(
    expect.arrayContaining(["items", "categories", "ads", "page_configurations", "profiles", "user_roles"]),
  );
});

describe("a visitor with the URL and the anonymous key", () => {
  const visitor = () => product.as("visitor");

  test("is refused every write on every table, in PostgREST's shape, and nothing changes", async () => {
    const before = await contents();
    for (const table of tables) {
      const row = await rowLike(table);
      const column = await firstColumn(table);
      const attempts = {
        insert: await visitor().from(table).insert(row),
        upsert: await visitor().from(table).upsert(row),
        update: await visitor().from(table).update(row).not(column, "is", null),
        delete: await visitor().from(table).delete().not(column, "is", null),
      };
      for (const [verb, { status, error }] of Object.entries(attempts)) {
        expect({ table, verb, status, error }).toEqual({
          table,
          verb,
          status: 401,
          error: {
            code: "42501",
            message: `permission denied for table ${table}`,
            details: null,
            hint: null,
          },
        });
      }
    }
    expect(await contents()).toEqual(before);
  });

  test("reads all 86 items with their categories", async () => {
    const { data, error } = await visitor().from("items").select("name, slug, categories(name, slug, icon)");
    expect(error).toBeNull();
    expect(data).toHaveLength(86);
    expect(data?.every((item) => item.categories !== null)).toBe(true);
  });

  test("has them ordered by the number that the value text means", async () => {
    const { data } = await visitor()
      .from("items")
      .select("name, current_value")
      .order("current_value_number", { ascending: false, nullsFirst: false })
      .order("name")
      .limit(9);
    expect(data?.[0]).toEqual({ name: "Galaxy Empyrean Kitsune", current_value: "11.96B" });
    expect(data?.[8]?.name).toBe("West Dragon");
  });

  test("finds one item by its slug, and null for an unknown one", async () => {
    const { data } = await visitor()
      .from("items")
      .select("name, current_value")
      .eq("slug", "kitsune")
      .single();
    expect(data).toEqual({ name: "Kitsune", current_value: "640M" });
    const none = await visitor().from("items").select("name").eq("slug", "nope").maybeSingle();
    expect(none).toMatchObject({ data: null, error: null });
  });

  test("sees each category with the number of its items", async () => {
    const { data } = await visitor().from("categories").select("name, items(id)").order("display_order");
    expect(data?.reduce((sum, category) => sum + category.items.length, 0)).toBe(86);
  });

  test("reads the dated history of a value", async () => {
    const { data, count } = await visitor()
      .from("item_value_changes")
      .select("new_value, mode, items!inner(slug)", { count: "exact" })
      .eq("items.slug", "kitsune")
      .order("changed_at");
    expect(count).toBe(data?.length);
    expect(count).toBeGreaterThan(5);
  });

  test("searches by part of the name, ignoring case", async () => {
    const { data } = await visitor().from("items").select("name").ilike("name", "%kitsune%").order("name");
    expect(data?.map((item) => item.name)).toContain("Galaxy Empyrean Kitsune");
  });

  test("cannot read messages to the operator, or who is admin", async () => {
    for (const table of ["contact_messages", "user_roles"]) {
      const { data, error } = await visitor().from(table).select("*");
      expect({ table, rows: data ?? [], refused: error !== null || data?.length === 0 }).toEqual({
        table,
        rows: [],
        refused: true,
      });
    }
  });

  test("gets PostgREST's own error for a table that does not exist", async () => {
    const { error, status } = await visitor().from("fruits").select("*");
    expect(status).toBe(404);
    expect(error).toMatchObject({
      code: "PGRST205",
      message: "Could not find the table 'public.fruits' in the schema cache",
    });
  });
});

test("the OpenAPI document lists for a visitor the tables that a visitor may read", async () => {
  const response = await product.request("/", { headers: { accept: "application/openapi+json" } });
  expect(response.headers.get("content-type")).toMatch(/^application\/openapi\+json/);
  const document = await response.json();
  expect(document).toMatchObject({
    swagger: "2.0",
    definitions: { items: { properties: { slug: { type: "string", format: "text" } } } },
  });
  expect(document.paths).toHaveProperty(["/items", "get"]);
  expect(document.paths).not.toHaveProperty(["/user_roles"]);
});
