import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type StatusWord = Tables<"status_words">;

// Each of these throws the service's error if it refuses.

/** The status words, in display order. */
export async function listStatusWords(client: SessionClient): Promise<StatusWord[]> {
  const { data } = await client.from("status_words").select("*").order("place").order("word").throwOnError();
  return data;
}

/** The codes for a row that others reference; PostgreSQL 18 has one of its own. */
const RESTRICTED: ReadonlySet<string> = new Set(["23001", "23503"]);

/** @throws a message if items still have it */
export async function deleteStatusWord(client: SessionClient, word: string): Promise<void> {
  const { error } = await client.from("status_words").delete().eq("word", word);
  if (RESTRICTED.has(error?.code ?? ""))
    throw new Error(`Items still have the status ${word}: give them another one first`);
  if (error) throw error;
}
