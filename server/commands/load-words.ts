import { readConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { judgeNames } from "../database/check-existing-names.ts";
import { loadVocabularies } from "../database/load-vocabularies.ts";
import { runCommand } from "./run-command.ts";

/**
 * `npm run words -- DATABASE`: loads the words of `CHAT_LANGUAGES` into a database that this server never starts on,
 * and checks the usernames that are older than the username rule.
 */
async function main([url]: string[]): Promise<void> {
  if (!url?.startsWith("postgres"))
    throw new StartError("Usage: npm run words -- postgres://user:password@host/database");
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
