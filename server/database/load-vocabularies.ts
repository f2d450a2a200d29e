import { existsSync, readFileSync } from "node:fs";
import type { Client } from "pg";
import { inTransaction } from "#backend/postgres/with-client.ts";
import { StartError } from "../configuration/start-error.ts";

const FOLDER = new URL("../../supabase/vocabularies/", import.meta.url);
const LOCK = 7_246_151_004;

/**
 * Loads the words allowed in chat, one file of `supabase/vocabularies` per language, in one transaction, and removes
 * languages that are no longer enabled. Returns the languages that changed; an unchanged file costs one query. Rejects
 * with a `StartError` for a language without a file.
 */
export async function loadVocabularies(
  url: string,
  languages: readonly string[] = ["en"],
): Promise<string[]> {
  const files = languages.map((language) => ({ language, text: readVocabulary(language) }));
  return inTransaction(url, "vocabularies", LOCK, async (client) => {
    const { rowCount: gone } = await client.query(
      "delete from private.vocabularies where language not in ('items', 'site') and language <> all ($1)",
      [languages],
    );
    const changed: string[] = [];
    for (const { language, text } of files) {
      const { rows } = await client.query<{ changed: boolean }>(
        "select private.load_vocabulary($1, $2) as changed",
        [language, text],
      );
      if (rows[0]?.changed) changed.push(language);
    }
    if (gone || changed.length > 0) await loadPhrases(client, files);
    return changed;
  });
}

/** Phrases refer to the meanings of words, which depend on all enabled languages. */
async function loadPhrases(
  client: Client,
  files: readonly { language: string; text: string }[],
): Promise<void> {
  // Phrases look up words by the thousand, so the planner needs statistics for the new table contents.
  await client.query("analyze private.known_words");
  for (const { language, text } of files) {
    await client.query("select private.load_phrases($1, $2)", [language, text]);
  }
}

function readVocabulary(language: string): string {
  const file = new URL(`${language}.txt`, FOLDER);
  if (!/^[a-z]{2,3}$/.test(language) || !existsSync(file)) {
    throw new StartError(`CHAT_LANGUAGES names ${language}, of which supabase/vocabularies has no file.`);
  }
  return readFileSync(file, "utf8");
}
