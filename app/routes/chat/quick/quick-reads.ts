import { type CalculatorItem, listCalculatorItems } from "#app/features/items/item-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import type { Tables } from "#supabase/database.types.ts";

/** A quick-talk phrase; each `{item}` in it is a gap. */
export type Phrase = Tables<"quick_phrases">;

/** An item as the chat searches and shows it. */
export type ChatItem = CalculatorItem;

/** The catalogue by slug. */
export type ChatItems = ReadonlyMap<string, ChatItem>;

export async function readPhrases(client: Client): Promise<Phrase[]> {
  const { data } = await client.from("quick_phrases").select().order("theme").order("place").throwOnError();
  return data;
}

export async function readItems(client: Client): Promise<ChatItems> {
  const items = await listCalculatorItems(client);
  if (!items) throw new Error("The catalogue cannot be read");
  return new Map(items.map((item) => [item.slug, item]));
}

const GAP = "{item}";

/** How many items a phrase needs. */
export function countGaps({ phrase }: Phrase): number {
  return phrase.split(GAP).length - 1;
}

/** The phrase with the items chosen so far; open gaps show as dots. */
export function fillPhrase({ phrase }: Phrase, names: readonly string[]): string {
  return phrase
    .split(GAP)
    .map((part, at) => (at === 0 ? part : `${names[at - 1] ?? "…"}${part}`))
    .join("");
}
