import { ConfigurationError, type Environment, readSettingsFile } from "./variables.ts";

/**
 * Rest's database is `PGRST_DB_URI`, or else libpq's own variables such as `PGHOST`; auth's is
 * `GOTRUE_DB_DATABASE_URL`. `DATABASE_URL` is the fallback of both upstream services: it is auth's if auth's other
 * settings are present (`GOTRUE_SITE_URL`, which it requires), else rest's. Null for a service that is not configured.
 */
export function readDatabaseUrls(environment: Environment) {
  const named = (variable: string) => readUrl(environment, variable);
  const shared = named("DATABASE_URL");
  const own = {
    rest: named("PGRST_DB_URI") ?? readLibpq(environment),
    auth: named("GOTRUE_DB_DATABASE_URL"),
  };
  const auth = own.auth ?? (environment.GOTRUE_SITE_URL ? shared : null);
  const rest = own.rest ?? (own.auth === null && auth !== null ? null : shared);
  if (rest === null && auth === null) {
    throw new ConfigurationError(
      "PGRST_DB_URI or DATABASE_URL must name the database to serve, or GOTRUE_DB_DATABASE_URL that of the accounts.",
    );
  }
  return { rest, auth };
}

/** A URL, or `@` followed by the file that contains it. */
function readUrl(environment: Environment, variable: string): string | null {
  const url = environment[variable];
  if (!url) return null;
  if (!url.startsWith("@")) return requirePostgresUrl(variable, url);
  const text = readSettingsFile(url.slice(1), `${variable} names a file that cannot be read.`);
  return requirePostgresUrl(variable, text.trim());
}

function requirePostgresUrl(variable: string, url: string): string {
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  const keywords = readKeywords(url);
  if (keywords) return addressOf(keywords);
  throw new ConfigurationError(
    `${variable} must be an address such as postgres://user:password@host:5432/database.`,
  );
}

const KEYWORD = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([^\s']*))\s*/y;

/** Parses `host=localhost dbname=app`, libpq's keyword/value format; null if the text is not in it. */
function readKeywords(text: string): Map<string, string> | null {
  const keywords = new Map<string, string>();
  KEYWORD.lastIndex = 0;
  while (KEYWORD.lastIndex < text.length) {
    const [, name, quoted, bare] = KEYWORD.exec(text) ?? [];
    if (name === undefined) return null;
    keywords.set(name, quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "");
  }
  return keywords.size > 0 ? keywords : null;
}

/** The URL from libpq's variables, if they name a database and no other variable does. */
function readLibpq(environment: Environment): string | null {
  const { DATABASE_URL, GOTRUE_DB_DATABASE_URL, PGDATABASE, PGHOST } = environment;
  if (DATABASE_URL || GOTRUE_DB_DATABASE_URL || (!PGDATABASE && !PGHOST)) return null;
  const { PGPORT = "", PGUSER = "", PGPASSWORD = "" } = environment;
  return addressOf(
    new Map([
      ["host", PGHOST ?? ""],
      ["port", PGPORT],
      ["user", PGUSER],
      ["password", PGPASSWORD],
      ["dbname", PGDATABASE ?? ""],
    ]),
  );
}

function addressOf(keywords: Map<string, string>): string {
  const { host, port, user, password, dbname, ...others } = Object.fromEntries(keywords);
  const part = (text: string | undefined) => encodeURIComponent(text ?? "");
  // A host that is a path is a Unix socket, which a URL can only carry in the query.
  const query = new URLSearchParams({ ...others, ...(host && { host }), ...(port && { port }) });
  const login = password ? `${part(user)}:${part(password)}` : part(user);
  return `postgres://${login}${login ? "@" : ""}${host?.startsWith("/") ? "" : part(host)}/${part(dbname)}?${query}`;
}
