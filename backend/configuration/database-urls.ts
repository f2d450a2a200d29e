import { readFileSync } from "node:fs";
import { ConfigurationError, type Environment } from "./variables.ts";

/** Which databases the services alone serve; null for a service that is not there. */
export type DatabaseUrls = {
  /** A login that may take the roles of the tokens. */
  rest: string | null;
  /** A login as `supabase_auth_admin`. */
  auth: string | null;
};

/**
 * `PGRST_DB_URI` is rest's, `GOTRUE_DB_DATABASE_URL` auth's. `DATABASE_URL` is what both originals fall back on: auth's where
 * its other settings are there (`GOTRUE_SITE_URL`, which it requires), else rest's.
 */
export function readDatabaseUrls(environment: Environment): DatabaseUrls {
  const named = (variable: string) => readUrl(environment, variable);
  const shared = named("DATABASE_URL");
  const own = { rest: named("PGRST_DB_URI"), auth: named("GOTRUE_DB_DATABASE_URL") };
  const auth = own.auth ?? (environment.GOTRUE_SITE_URL ? shared : null);
  const rest = own.rest ?? (own.auth === null && auth !== null ? null : shared);
  if (rest === null && auth === null) {
    throw new ConfigurationError(
      "PGRST_DB_URI or DATABASE_URL must name the database to serve, or GOTRUE_DB_DATABASE_URL that of the accounts.",
    );
  }
  return { rest, auth };
}

/** An address, or `@` and the file that it is in. */
function readUrl(environment: Environment, variable: string): string | null {
  const url = environment[variable];
  if (!url) return null;
  return requirePostgresUrl(variable, url.startsWith("@") ? readUrlFile(variable, url.slice(1)) : url);
}

function readUrlFile(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new ConfigurationError(`${variable} names a file that cannot be read.`);
  }
}

function requirePostgresUrl(variable: string, url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new ConfigurationError(
    `${variable} must be an address such as postgres://user:password@host:5432/database.`,
  );
}
