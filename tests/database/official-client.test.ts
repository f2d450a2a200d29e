import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Backend, createBackend } from "#backend/backend.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import type { Database } from "#supabase/database.types.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS, type AccountHolder } from "#tests/helpers/people.ts";

/** The product's own calls (7.read.01–18, 7.write.01–16), made with the client that the site uses. */

const SECRET = "a secret of at least thirty-two characters";
let database: TestDatabase;
let backend: Backend;
let visitor: SupabaseClient<Database>;
let ana: SupabaseClient<Database>;
let ben: SupabaseClient<Database>;
let eve: SupabaseClient<Database>;
let kitsune: string;

beforeAll(async () => {
  database = await createTestDatabase({ people: true });
  const anonKey = await signToken({ role: "anon" }, SECRET);
  backend = await createBackend({
    databaseUrl: database.authenticatorUrl,
    jwtSecret: SECRET,
  });
  const connect = async (person?: AccountHolder) => {
    const token = person && (await signToken({ sub: ACCOUNTS[person].id, role: "authenticated" }, SECRET));
    return createClient<Database>("http://backend.test", anonKey, {
      global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
      ...(token
        ? { accessToken: async () => token }
        : { auth: { persistSession: false, autoRefreshToken: false } }),
    });
  };
  [visitor, ana, ben, eve] = await Promise.all([connect(), connect("Ana"), connect("Ben"), connect("Eve")]);
  const { data } = await visitor.from("items").select("id").eq("slug", "kitsune").single();
  kitsune = data?.id ?? "";
});
afterAll(async () => {
  await backend.close();
  await database.drop();
});

const side = (id: string) => [{ id, name: "Forged", value: "1", viewMode: "regular" }];

describe("refused", () => {
  test("a visitor's writes", async () => {
    const answers = await Promise.all([
      visitor.from("items").insert({ name: "A", slug: "a" }),
      visitor.from("items").update({ name: "A" }).eq("slug", "kitsune"),
      visitor.from("items").delete().eq("slug", "kitsune"),
      visitor.from("page_configurations").upsert({ page_name: "values" }, { onConflict: "page_name" }),
      visitor.from("chat_messages").select(),
    ]);
    for (const { error, status } of answers) expect([error?.code, status]).toEqual(["42501", 401]);
  });

  test.each([
    ["a second kitsune", { name: "A", slug: "kitsune" }, 409, "23505"],
    ["a rarity that is none", { name: "A", slug: "a", rarity: "epic" }, 400, "23514"],
    ["a value of 21 characters", { name: "A", slug: "a", current_value: "1".repeat(21) }, 400, "23514"],
    ["a category that is no uuid", { name: "A", slug: "a", category_id: "fruits" }, 400, "22P02"],
  ])("from Eve: %s", async (_, row, status, code) => {
    const { error, status: answered } = await eve.from("items").insert(row);
    expect([answered, error?.code]).toEqual([status, code]);
  });

  test("deleting a category that has items, with a clear message", async () => {
    const { error, status } = await eve.from("categories").delete().eq("slug", "tokens");
    expect([status, error?.message]).toEqual([
      409,
      "The category Tokens still has 2 items; move or delete them first",
    ]);
  });

  test("a trade with an unknown item, saying which", async () => {
    const { error, status } = await ana.from("trade_history").insert({
      user_id: ACCOUNTS.Ana.id,
      your_items: side(kitsune),
      their_items: [{ id: ACCOUNTS.Ana.id, name: "Golden Duck" }],
    });
    expect([status, error?.message]).toEqual([
      400,
      "their_items has an item that is not in the catalogue: Golden Duck",
    ]);
  });

  test("a rating of half a star", async () => {
    const { status } = await ana
      .from("user_ratings")
      .insert({ rater_id: ACCOUNTS.Ana.id, rated_user_id: ACCOUNTS.Ben.id, rating: 2.5 });
    expect(status).toBe(400);
  });
});

describe("done", () => {
  test("Eve changes a value with a reason, as number and as text, and it reads back as its number", async () => {
    for (const [written, number] of [
      [1_500_000, 1_500_000],
      ["1.5t", 1.5e12],
      ["640M", 640e6],
    ] as const) {
      const { data, error } = await eve
        .from("items")
        .update({
          current_value: written as string,
          change_reason: "Update 30",
          updated_at: "1999-01-01T00:00:00Z",
        })
        .eq("slug", "kitsune")
        .select("current_value,current_value_number,change_reason,updated_at")
        .single();
      expect(error).toBeNull();
      expect(data).toMatchObject({
        current_value: String(written),
        current_value_number: number,
        change_reason: null,
      });
      expect(data?.updated_at).not.toContain("1999");
    }
    const { data } = await visitor
      .from("item_value_changes")
      .select("new_value,reason")
      .eq("item_id", kitsune)
      .order("id", { ascending: false })
      .limit(3);
    const written = ["640M", "1.5t", "1500000"];
    expect(data).toEqual(written.map((new_value) => ({ new_value, reason: "Update 30" })));
    const joined = await visitor.from("item_value_changes").select("profiles(username)").limit(1);
    expect(joined.error?.code).toBe("42501");
    const ledger = await eve
      .rpc("list_value_changes", { item: kitsune })
      .order("id", { ascending: false })
      .limit(3);
    const common = { changed_by_name: ACCOUNTS.Eve.username };
    expect(ledger.data).toMatchObject(written.map((new_value) => ({ new_value, ...common })));
  });

  test("Eve confirms a value", async () => {
    const { error } = await eve.from("item_value_checks").insert({ item_id: kitsune });
    expect(error).toBeNull();
    const { data } = await visitor
      .from("items")
      .select("values_checked_at,item_value_checks(checked_at)")
      .eq("id", kitsune);
    expect(data?.[0]?.item_value_checks[0]?.checked_at).toBe(data?.[0]?.values_checked_at);
  });

  test("Eve saves a page's fields twice, and visitors read the second list", async () => {
    for (const visible_fields of [["name"], ["name", "rarity"]]) {
      const { error } = await eve
        .from("page_configurations")
        .upsert({ page_name: "values", visible_fields }, { onConflict: "page_name" });
      expect(error).toBeNull();
    }
    const { data } = await visitor
      .from("page_configurations")
      .select("visible_fields")
      .eq("page_name", "values")
      .single();
    expect(data).toEqual({ visible_fields: ["name", "rarity"] });
  });

  test("Ana saves a trade, and only she reads it, with the catalog's values", async () => {
    const { error, status } = await ana.from("trade_history").insert({
      user_id: ACCOUNTS.Ana.id,
      your_items: side(kitsune),
      their_items: side(kitsune),
      your_total: 1,
      their_total: 2,
    });
    expect([status, error]).toEqual([201, null]);
    const { data } = await ana.from("trade_history").select("*").order("created_at", { ascending: false });
    expect(data).toMatchObject([{ version: 1, your_total: 640e6, their_total: 640e6 }]);
    for (const other of [ben, eve]) expect((await other.from("trade_history").select("*")).data).toEqual([]);
  });

  test("Ana's trade is inaccessible to everybody else, by any call", async () => {
    const { data: own } = await ana.from("trade_history").select("id").limit(1).single();
    const id = own?.id ?? "";
    for (const other of [visitor, ben, eve]) {
      const trades = () => other.from("trade_history");
      const answers = await Promise.all([
        trades().select("*").eq("id", id),
        trades().select("id").or(`id.eq.${id},user_id.eq.${ACCOUNTS.Ana.id}`),
        other.from("profiles").select("trade_history(id)").eq("id", ACCOUNTS.Ana.id),
        trades().update({ user_id: ACCOUNTS.Ben.id }).eq("id", id).select(),
        trades().delete().eq("id", id).select(),
        trades().upsert({
          id,
          user_id: ACCOUNTS.Ben.id,
          your_items: side(kitsune),
          their_items: side(kitsune),
        }),
        trades().insert({ user_id: ACCOUNTS.Ana.id, your_items: side(kitsune), their_items: side(kitsune) }),
      ]);
      expect(JSON.stringify(answers.map(({ data }) => data))).not.toContain(id);
      const { count } = await trades().select("*", { count: "exact", head: true });
      expect(count ?? 0).toBe(0);
    }
    expect((await ana.from("trade_history").select("id")).data).toEqual([{ id }]);
  });

  test("visitors read profiles by name, one by id, and a trader's ratings, newest first", async () => {
    await eve
      .from("user_ratings")
      .insert({ rater_id: ACCOUNTS.Eve.id, rated_user_id: ACCOUNTS.Ben.id, rating: 3 });
    const profiles = await visitor.from("profiles").select("*").order("username");
    expect(profiles.data?.map(({ username }) => username)).toEqual(
      Object.values(ACCOUNTS)
        .map(({ username }) => username)
        .toSorted(),
    );
    expect(JSON.stringify(profiles.data)).not.toContain("@");
    const one = visitor.from("profiles").select("username,avatar_url").eq("id", ACCOUNTS.Ben.id).single();
    expect((await one).data).toEqual({ username: ACCOUNTS.Ben.username, avatar_url: null });
    const ratings = await visitor
      .from("user_ratings")
      .select("rater_id, created_at")
      .eq("rated_user_id", ACCOUNTS.Ben.id)
      .order("created_at", { ascending: false });
    expect(ratings.data?.at(0)?.rater_id).toBe(ACCOUNTS.Eve.id);
    const listed = await visitor.rpc("list_traders", { search: "calm" }, { get: true });
    expect(listed.data).toMatchObject([{ id: ACCOUNTS.Ben.id, total: 1 }]);
    await eve.from("user_ratings").delete().eq("rater_id", ACCOUNTS.Eve.id);
  });

  test("Ana rates Ben twice, and the second rating counts", async () => {
    const rating = { rater_id: ACCOUNTS.Ana.id, rated_user_id: ACCOUNTS.Ben.id };
    for (const stars of [2, 5]) {
      const { error } = await ana
        .from("user_ratings")
        .upsert({ ...rating, rating: stars, comment: null }, { onConflict: "rater_id,rated_user_id" });
      expect(error).toBeNull();
    }
    expect((await ana.from("user_ratings").insert({ ...rating, rating: 1 })).status).toBe(409);
    const { data } = await visitor
      .from("user_ratings")
      .select("rating,rater:profiles!user_ratings_rater_id_fkey(username)")
      .eq("rated_user_id", ACCOUNTS.Ben.id);
    expect(data).toEqual([{ rating: 5, rater: { username: ACCOUNTS.Ana.username } }]);
  });

  test("Ben chats under his own name, until he is too fast", async () => {
    const row = { user_id: ACCOUNTS.Ben.id, username: "other@example.org", message: " hi " };
    const { data } = await ben.from("chat_messages").insert(row).select("username,message").single();
    expect(data).toEqual({ username: ACCOUNTS.Ben.username, message: "hi" });
    for (let sent = 1; sent < 5; sent += 1) await ben.from("chat_messages").insert(row);
    const { error, status } = await ben.from("chat_messages").insert(row);
    expect([status, error?.message]).toEqual([
      429,
      "You are sending messages too fast: at most 5 in 10 seconds",
    ]);
  });

  test("Eve and Ana ask whether they are admins", async () => {
    const ask = (client: typeof eve, id: string) =>
      client.from("user_roles").select("role").eq("user_id", id).eq("role", "admin").maybeSingle();
    expect((await ask(eve, ACCOUNTS.Eve.id)).data).toEqual({ role: "admin" });
    expect((await ask(ana, ACCOUNTS.Ana.id)).data).toBeNull();
    expect((await ask(ana, ACCOUNTS.Eve.id)).data).toBeNull();
  });
});
