import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Tables } from "#supabase/database.types.ts";

export type StatusWord = Tables<"status_words">;

/** The status words, in display order. @throws the service's error */
export async function listStatusWords(client: SessionClient): Promise<StatusWord[]> {
  const { data } = await client.from("status_words").select("*").order("place").order("word").throwOnError();
  return data;
}
