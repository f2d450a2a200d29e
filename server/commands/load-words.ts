import { readConfig } from "../configuration/config.ts";
import { judgeNames } from "../database/check-existing-names.ts";
import { loadVocabularies } from "../database/load-vocabularies.ts";
import { readDatabaseUrl, runCommand } from "./run-command.ts";

/**
 * `npm run words -- DATABASE`: loads the words of `CHAT_LANGUAGES` into a database that this server never starts on,
 * and checks the usernames that are older than the username rule.
 */
async function main(args: string[]): Promise<void> {
  const url = readDatabaseUrl("words", args);
  const { chatLanguages } = readConfig();
  const changed = await loadVocabularies(url, chatLanguages);
  await judgeNames(url);
  console.log(
    changed.length === 0
      ? "The database has these words already."
      : `The words of ${changed.join(", ")} are loaded.`,
  );
}

runCommand(main);
