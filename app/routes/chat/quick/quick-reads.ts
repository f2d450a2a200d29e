import { type CalculatorItem, listCalculatorItems } from "#app/features/items/item-queries.ts";
import type { Client } from "#app/features/site/client.ts";
import type { Tables } from "#supabase/database.types.ts";

/** Something that can be said by tap; each `{item}` in it is a gap. */
export type Phrase = Tables<"quick_phrases">;

/** An item as it is found and shown in the chat. */
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

/** How many items a phrase asks for. */
export function countGaps({ phrase }: Phrase): number {
  return phrase.split(GAP).length - 1;
}

/** The phrase with what was chosen so far; what is still open reads as dots. */
export function fillPhrase({ phrase }: Phrase, names: readonly string[]): string {
  return phrase
    .split(GAP)
    .map((part, at) => (at === 0 ? part : `${names[at - 1] ?? "…"}${part}`))
    .join("");
}
