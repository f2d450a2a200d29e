import { readConfigFile } from "#backend/configuration/config-file.ts";
import { readDatabaseUrls } from "#backend/configuration/database-urls.ts";
import { readDatabaseConfig } from "#backend/configuration/in-database.ts";
import { readServiceSettings, type ServiceSettings } from "#backend/configuration/service-settings.ts";
import type { Environment } from "#backend/configuration/variables.ts";
import { watchReads } from "#backend/configuration/watch-reads.ts";
import { DatabaseUnavailableError } from "#backend/postgres/database.ts";

export type LoadedSettings = {
  settings: ServiceSettings;
  /** All variables in effect. */
  variables: Environment;
  /** A sentence for each setting that should be changed, or that nothing reads. */
  notes: string[];
};

/** Merges the configuration file, the environment over it, and the database over both. @throws ConfigurationError */
export async function loadSettings(environment: Environment, file: string | null): Promise<LoadedSettings> {
  const outside = { ...(file !== null && readConfigFile(file, environment)), ...environment };
  const inside = await readInside(outside);
  const watched = watchReads({ ...outside, ...inside.variables }, READ_INSIDE);
  const settings = readServiceSettings(watched.environment);
  return {
    settings,
    variables: watched.environment,
    notes: [...settings.notes, ...inside.notes, ...watched.describeUnread()],
  };
}

const READ_INSIDE = ["PGRST_DB_CONFIG", "PGRST_DB_PRE_CONFIG"];

async function readInside(outside: Environment): Promise<{ variables: Environment; notes: string[] }> {
  const { rest } = readDatabaseUrls(outside);
  if (rest === null) return { variables: {}, notes: [] };
  try {
    return { variables: await readDatabaseConfig(rest, outside), notes: [] };
  } catch (error) {
    // It is read again once the database is up.
    if (error instanceof DatabaseUnavailableError)
      return { variables: {}, notes: ["The database cannot be reached: what it configures is left out."] };
    throw error;
  }
}
