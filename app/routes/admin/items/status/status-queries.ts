import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type StatusWord = Tables<"status_words">;

// Each of these throws what the service answered when it refuses.

/** The words for how an item goes, in the order in which they are offered. */
export async function listStatusWords(client: SessionClient): Promise<StatusWord[]> {
  const { data } = await client.from("status_words").select("*").order("place").order("word").throwOnError();
  return data;
}

export async function addStatusWord(client: SessionClient, row: StatusWord): Promise<void> {
  await client.from("status_words").insert(row).throwOnError();
}

/** Renames a word wherever it stands. */
export async function renameStatusWord(client: SessionClient, from: string, to: string): Promise<void> {
  await client.from("status_words").update({ word: to }).eq("word", from).throwOnError();
}

/** A row that others refer to: PostgreSQL 18 has a code of its own for it. */
const RESTRICTED: ReadonlySet<string> = new Set(["23001", "23503"]);

/** @throws a sentence where items still have it */
export async function deleteStatusWord(client: SessionClient, word: string): Promise<void> {
  const { error } = await client.from("status_words").delete().eq("word", word);
  if (RESTRICTED.has(error?.code ?? ""))
    throw new Error(`Items still have the status ${word}: give them another one first`);
  if (error) throw error;
}
