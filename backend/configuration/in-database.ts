import { connectDatabase, DatabaseError, type Query } from "#backend/postgres/database.ts";
import { quoteName } from "#backend/postgres/quote.ts";
import { qualifiedName } from "./rest-settings.ts";
import { ConfigurationError, type Environment, Variables } from "./variables.ts";

/** Settings that the database may override; the others are needed before it can be reached. */
const names = [
  "client_error_verbosity",
  "db_aggregates_enabled",
  "db_anon_role",
  "db_extra_search_path",
  "db_hoisted_tx_settings",
  "db_max_rows",
  "db_plan_enabled",
  "db_pre_request",
  "db_prepared_statements",
  "db_root_spec",
  "db_schemas",
  "db_tx_end",
  "jwt_aud",
  "jwt_cache_max_entries",
  "jwt_cache_max_lifetime",
  "jwt_role_claim_key",
  "jwt_secret",
  "jwt_secret_is_base64",
  "openapi_mode",
  "openapi_security_active",
  "openapi_server_proxy_uri",
  "server_cors_allowed_origins",
  "server_timing_enabled",
  "server_trace_header",
];

// Read from the catalog, since a connection keeps the settings from when it was opened.
const ofRole = `
select s.name, s.value
from pg_catalog.pg_db_role_setting d
cross join lateral (
  select pg_catalog.split_part(c, '=', 1) as name, pg_catalog.substr(c, pg_catalog.strpos(c, '=') + 1) as value
  from unnest(d.setconfig) as c
) s
where d.setrole = current_user::regrole
  and d.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
  and s.name like 'pgrst.%'
order by d.setdatabase`;

/**
 * Variables set in the database: `alter role authenticator set pgrst.db_schemas = …`, with settings for this database
 * over those for all, and both over those set by the function `db-pre-config`. Empty if `db-config` is false.
 */
export async function readDatabaseConfig(url: string, environment: Environment): Promise<Environment> {
  const variables = new Variables(environment);
  if (variables.boolean("PGRST_DB_CONFIG") === false) return {};
  const database = connectDatabase({ url, max: 1, prepared: false, applicationName: "configuration" });
  try {
    return await database.transaction(async (query) => {
      const rows = await query(ofRole);
      const preConfig = variables.text("PGRST_DB_PRE_CONFIG") ?? rows.find(isPreConfig)?.value ?? null;
      const set = preConfig === null ? [] : await readFunction(preConfig, query);
      return Object.fromEntries([...set, ...rows].flatMap(({ name, value }) => toVariable(name, value)));
    });
  } finally {
    await database.close();
  }
}

type Setting = { name?: string | null; value?: string | null };

const isPreConfig = ({ name }: Setting) => name === "pgrst.db_pre_config";

async function readFunction(name: string, query: Query): Promise<Setting[]> {
  const fn = qualifiedName(name);
  if (fn)
    await query(`select ${quoteName(fn)}()`).catch((error: unknown) => {
      if (!(error instanceof DatabaseError)) throw error;
      throw new ConfigurationError(`PGRST_DB_PRE_CONFIG names a function that fails: ${error.message}.`);
    });
  const wanted = names.map((each) => `('pgrst.${each}')`).join(", ");
  return query(
    `select name, current_setting(name, true) as value from (values ${wanted}) as wanted(name) where current_setting(name, true) <> ''`,
  );
}

function toVariable(name: string | null | undefined, value: string | null | undefined): [string, string][] {
  const setting = name?.replace(/^pgrst\./, "") ?? "";
  return names.includes(setting) && value ? [[`PGRST_${setting.toUpperCase()}`, value]] : [];
}
