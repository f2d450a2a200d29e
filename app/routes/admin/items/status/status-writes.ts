import type { SessionClient } from "#app/features/session/session-client.ts";
import { isAddedAlready, requireRow } from "#app/routes/admin/shared/require-row.ts";
import type { StatusWord } from "./status-queries.ts";

/** Another admin may have added it meanwhile. */
const TAKEN = { field: "word", message: "This word exists already" };

/** What is typed of a word. */
export type WordInput = Pick<StatusWord, "word">;

/** Adds a word, in that place of the list. @throws FormError if it exists already */
export async function addStatusWord(
  client: SessionClient,
  input: WordInput,
  isRepeat: boolean,
  place: number,
): Promise<void> {
  const adding = client.from("status_words").insert({ ...input, place });
  const answer = await adding.select("word").maybeSingle();
  if (await isAddedAlready(answer, isRepeat, input, () => findStatusWord(client, input))) return;
  requireRow(answer, "word", TAKEN);
}

/** The stored word; null if there is none. @throws the service's error */
export async function findStatusWord(client: SessionClient, { word }: WordInput): Promise<WordInput | null> {
  const words = client.from("status_words").select("word");
  return (await words.eq("word", word).maybeSingle().throwOnError()).data;
}

/** Renames a word, also in all items. @throws FormError if it exists already, or a message if it is gone */
export async function renameStatusWord(client: SessionClient, from: string, to: string): Promise<void> {
  const renaming = client.from("status_words").update({ word: to }).eq("word", from);
  requireRow(await renaming.select("word").maybeSingle(), "word", TAKEN);
}

/** The codes for a row that others reference; PostgreSQL 18 has one of its own. */
const RESTRICTED: ReadonlySet<string> = new Set(["23001", "23503"]);

/** @throws a message if items still have it, or it is gone */
export async function deleteStatusWord(client: SessionClient, word: string): Promise<void> {
  const answer = await client.from("status_words").delete().eq("word", word).select("word").maybeSingle();
  if (RESTRICTED.has(answer.error?.code ?? ""))
    throw new Error(`Items still have the status ${word}: give them another one first`);
  requireRow(answer, "word");
}
