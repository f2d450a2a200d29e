import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type AskedWord = Tables<"word_requests">;

/** The decision about a word: none yet, allowed, or refused permanently. */
export type WordState = "asked" | "allowed" | "refused";

/** How many are read at once; deciding on some loads the next. */
export const AT_ONCE = 100;

/** The most requested first; of decided ones the latest first. @throws the service's error */
export async function readWords(client: SessionClient, state: WordState): Promise<AskedWord[]> {
  let query = client.from("word_requests").select("*").limit(AT_ONCE);
  if (state === "asked") query = query.is("allowed_at", null).is("refused_at", null);
  else query = query.not(`${state}_at`, "is", null).order(`${state}_at`, { ascending: false });
  const { data } = await query
    .order("count", { ascending: false })
    .order("first_asked_at")
    .order("word")
    .throwOnError();
  return data;
}

/** @throws the service's error */
export async function decideWord(client: SessionClient, word: string, state: WordState): Promise<void> {
  const call = { asked: "reopen_word", allowed: "allow_word", refused: "refuse_word" } as const;
  await client.rpc(call[state], { word }).throwOnError();
}
