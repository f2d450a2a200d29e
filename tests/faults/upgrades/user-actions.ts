import type { SupabaseClient } from "@supabase/supabase-js";

/** Users who fill a site: two traders and an admin. Each has an official client, untyped because releases differ. */
export type Cast = Record<"visitor" | "Ana" | "Ben" | "Eve", SupabaseClient> & {
  /** Their user ids. */
  ids: Record<"Ana" | "Ben" | "Eve", string>;
};

export type UserAction = {
  /** Tables and functions that a release must have for it. */
  needs: readonly string[];
  /** Tables and functions that superseded it. */
  without?: readonly string[];
  run(cast: Cast): PromiseLike<{ error: unknown }>;
};

const SLUGS = ["pear", "plum", "quince"];
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function idOf(client: SupabaseClient, table: string, column: string, value: string): Promise<string> {
  const { data } = await client.from(table).select("id").eq(column, value).limit(1).single().throwOnError();
  return data.id;
}

const itemOf = (cast: Cast, slug: string) => idOf(cast.Eve, "items", "slug", slug);
const messageOf = (cast: Cast, text: string) => idOf(cast.Eve, "chat_messages", "message", text);

async function side(cast: Cast) {
  return [{ id: await itemOf(cast, "pear"), name: "Pear", value: "1M", viewMode: "regular" }];
}

/** What users do in any release, ordered by dependency. */
export const USER_ACTIONS: readonly UserAction[] = [
  ...(["Ana", "Ben", "Eve"] as const).map(
    (who): UserAction => ({
      needs: ["choose_age_band"],
      run: (cast) => cast[who].rpc("choose_age_band", { band: "18-or-older", list_me: true }),
    }),
  ),
  {
    needs: ["categories"],
    run: ({ Eve }) => Eve.from("categories").insert({ slug: "orchard", name: "Orchard", icon: "🍐" }),
  },
  {
    needs: ["items"],
    async run(cast) {
      const category_id = await idOf(cast.Eve, "categories", "slug", "orchard");
      return await cast.Eve.from("items").insert(
        SLUGS.map((slug, at) => ({ slug, name: slug, category_id, current_value: `${at + 1}M` })),
      );
    },
  },
  {
    needs: ["items"],
    without: ["publish_values"],
    run: ({ Eve }) =>
      Eve.from("items")
        .update({ current_value: "1.5M", previous_value: "1M", change_reason: "Seen in ten trades" })
        .eq("slug", "pear"),
  },
  {
    needs: ["publish_values"],
    async run(cast) {
      const item_id = await itemOf(cast, "pear");
      const cell = { item_id, field: "current_value", value: "1.5M", was: "1M" };
      return await cast.Eve.rpc("publish_values", {
        cells: [cell],
        reason_code: "trades_seen",
        note: "Seen in ten trades",
      });
    },
  },
  {
    needs: ["item_value_checks"],
    run: async (cast) => cast.Eve.from("item_value_checks").insert({ item_id: await itemOf(cast, "plum") }),
  },
  {
    needs: ["archived_items"],
    run: ({ Eve }) => Eve.from("items").delete().eq("slug", "quince"),
  },
  {
    needs: ["former_slugs"],
    run: ({ Eve }) => Eve.from("items").update({ slug: "damson" }).eq("slug", "plum"),
  },
  {
    needs: ["page_configurations"],
    run: ({ Eve }) =>
      Eve.from("page_configurations").upsert(
        { page_name: "values", visible_fields: ["rarity"] },
        { onConflict: "page_name" },
      ),
  },
  {
    needs: ["field_definitions"],
    run: ({ Eve }) =>
      Eve.from("field_definitions").insert({ name: "custom_taste", label: "Taste", type: "text" }),
  },
  {
    needs: ["ads"],
    run: ({ Eve }) =>
      Eve.from("ads").update({ ad_code: "<p>Pears</p>", enabled: true }).eq("placement", "values_grid"),
  },
  {
    needs: ["game_updates"],
    async run(cast) {
      const items = [await itemOf(cast, "pear")];
      return await cast.Eve.rpc("mark_game_update", {
        name: "Harvest",
        items,
        volatile_until: new Date(Date.now() + 86_400_000).toISOString(),
      });
    },
  },
  {
    needs: ["status_words"],
    run: ({ Eve }) => Eve.from("status_words").insert({ word: "ripe", place: 9 }),
  },
  {
    needs: ["work_skips"],
    run: async (cast) => cast.Eve.from("work_skips").insert({ item_id: await itemOf(cast, "pear") }),
  },
  {
    needs: ["editor_names"],
    run: ({ Eve }) => Eve.from("editor_names").insert({ name: "BraveHeron300" }),
  },
  {
    needs: ["create_value_set"],
    run: ({ Eve }) => Eve.rpc("create_value_set", { name: "Autumn" }),
  },
  {
    needs: ["chat_messages"],
    run: ({ Ana }) => Ana.from("chat_messages").insert({ message: "hello" }),
  },
  {
    needs: ["chat_messages"],
    run: ({ Ben }) => Ben.from("chat_messages").insert({ message: "good trade" }),
  },
  {
    needs: ["chat_reports"],
    async run(cast) {
      const message_id = await messageOf(cast, "good trade");
      return await cast.Ana.from("chat_reports").insert({ message_id, reason: "Mean" });
    },
  },
  {
    needs: ["chat_reactions"],
    async run(cast) {
      const message_id = await messageOf(cast, "hello");
      return await cast.Ben.from("chat_reactions").insert({ message_id, emoji: "👍" });
    },
  },
  {
    needs: ["deleted_chat_messages"],
    async run({ Ben }) {
      await Ben.from("chat_messages").insert({ message: "bad trade" }).throwOnError();
      return await Ben.from("chat_messages").delete().eq("message", "bad trade");
    },
  },
  {
    needs: ["chat_mutes"],
    run: ({ Ana, ids }) => Ana.from("chat_mutes").insert({ muted_user_id: ids.Ben }),
  },
  {
    needs: ["trade_history"],
    async run(cast) {
      const items = await side(cast);
      return await cast.Ana.from("trade_history").insert({ your_items: items, their_items: items });
    },
  },
  {
    needs: ["user_ratings"],
    run: ({ Ben, ids }) =>
      Ben.from("user_ratings").insert({ rated_user_id: ids.Ana, rating: 4, comment: "good trade" }),
  },
  {
    needs: ["contact_messages"],
    run: ({ visitor }) =>
      visitor
        .from("contact_messages")
        .insert({ name: "Mara", email: "mara@example.com", subject: "Pears", message: "Where are they?" }),
  },
  {
    needs: ["profiles"],
    run: ({ Eve }) => Eve.storage.from("item-images").upload("pear.png", PNG, { contentType: "image/png" }),
  },
  {
    needs: ["profiles"],
    run: ({ Ana, ids }) => Ana.from("profiles").update({ username: "CalmPanda200" }).eq("id", ids.Ana),
  },
  {
    needs: ["case_notes"],
    run: ({ Eve, ids }) => Eve.from("case_notes").insert({ user_id: ids.Ben, note: "Was told twice" }),
  },
  {
    needs: ["chat_silences"],
    without: ["sanctions"],
    run: ({ Eve, ids }) => Eve.from("chat_silences").insert({ user_id: ids.Ben, reason: "Was told twice" }),
  },
  {
    needs: ["sanctions"],
    run: ({ Eve, ids }) =>
      Eve.from("sanctions").insert({
        user_id: ids.Ben,
        kind: "silence",
        code: "insult",
        reason: "Was told twice",
        until: new Date(Date.now() + 86_400_000).toISOString(),
      }),
  },
  {
    needs: ["appeals"],
    async run({ Ben, ids }) {
      const sanction_id = await idOf(Ben, "sanctions", "user_id", ids.Ben);
      return await Ben.from("appeals").insert({ sanction_id, message: "It was a joke" });
    },
  },
  {
    needs: ["ask_for_word"],
    run: ({ Ana }) => Ana.rpc("ask_for_word", { word: "quinces" }),
  },
];
