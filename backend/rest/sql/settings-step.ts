import { fromHeaderText } from "#backend/http/header-text.ts";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Step } from "#backend/postgres/database.ts";
import { quoteIdentifier } from "#backend/postgres/quote.ts";
import type { RestConfig } from "../rest-config.ts";
import type { RunContext } from "../run-context.ts";
import type { Routine } from "../schema-cache/types.ts";

type Setting = readonly [name: string, value: string];

type Settings = {
  schema: string;
  readOnly: boolean;
  timezone: string | null;
  routine: Routine | null;
};

const fixedNames = [
  "search_path",
  "role",
  "request.jwt.claims",
  "request.method",
  "request.path",
  "request.headers",
  "request.cookies",
  "transaction_read_only",
];
const texts = new Map<string, string>();

/** The batch's first steps: isolation level, identity, request and access mode as transaction-local settings. */
export function settingsSteps(context: RunContext, settings: Settings): Step[] {
  const { roleSettings, begins } = context.cache;
  const ofRole = roleSettings.get(context.identity.role) ?? [];
  const extra = extraSettings(context, settings);
  const isolation = [...ofRole, ...extra].findLast(isIsolation)?.[1].toLowerCase() ?? USUAL;
  // Before any query, even one that would set them; both end with the transaction.
  const first: string[] = [];
  if (begins.readOnly && !settings.readOnly) first.push("SET transaction_read_only = off");
  if (begins.isolation !== isolation && LEVELS.has(isolation))
    first.push(`SET transaction_isolation = '${isolation}'`);
  const others = (all: readonly Setting[]) => all.filter((setting) => !isIsolation(setting));
  const step = settingsStep(context, settings, others(ofRole), others(extra));
  return [...first.map((text) => ({ text, values: [] })), step];
}

/** Whatever the database's own default is, as PostgREST begins. */
const USUAL = "read committed";
const ISOLATION = "default_transaction_isolation";
const isIsolation = ([name]: Setting) => name === ISOLATION;
const LEVELS = new Set(["serializable", "repeatable read", "read committed", "read uncommitted"]);

function settingsStep(
  { request, path, identity, config }: RunContext,
  { schema, readOnly }: Settings,
  ofRole: readonly Setting[],
  extra: readonly Setting[],
): Step {
  return {
    text: settingsText(ofRole.map(nameOf), extra.map(nameOf)),
    values: [
      ...ofRole.map(([, value]) => value),
      searchPath(schema, config),
      identity.role,
      identity.claimsText,
      request.method,
      path,
      headersText(request.headers),
      cookiesText(request.headers.cookie),
      readOnly ? "on" : "off",
      ...extra.map(([, value]) => value),
    ],
  };
}

function extraSettings(
  { config: { hoistedSettings, appSettings } }: RunContext,
  { timezone, routine }: Settings,
): readonly Setting[] {
  const extra: Setting[] = [...appSettings];
  if (timezone !== null) extra.push(["timezone", timezone]);
  for (const [name, value] of routine?.settings ?? [])
    if (hoistedSettings.includes(name)) extra.push([name, value]);
  return extra;
}

const nameOf = ([name]: Setting) => name;

// Names come from this module or the catalog, never from a client. A role's settings are made before switching to it:
// it is the login that may have been granted to make them.
function settingsText(ofRole: string[], extra: string[]): string {
  return getOrMake(texts, `${ofRole.join()} ${extra.join()}`, () => {
    const calls = [...ofRole, ...fixedNames, ...extra].map(
      (name, index) => `set_config('${name.replaceAll("'", "''")}', $${index + 1}, true)`,
    );
    return `SELECT ${calls.join(", ")}`;
  });
}

const searchPaths = new WeakMap<RestConfig, Map<string, string>>();

function searchPath(schema: string, config: RestConfig): string {
  const known = getOrMake(searchPaths, config, () => new Map<string, string>());
  return getOrMake(known, schema, () => searchedSchemas(schema, config).map(quoteIdentifier).join(", "));
}

/** The search path of requests to this schema. */
export function searchedSchemas(schema: string, { extraSearchPath }: RestConfig): string[] {
  return [...new Set([schema, ...extraSearchPath])];
}

function headersText(headers: Readonly<Record<string, string>>): string {
  const others = headers.cookie === undefined ? headers : { ...headers, cookie: undefined };
  return fromHeaderText(JSON.stringify(others)).replaceAll("\\u0000", "");
}

function cookiesText(header: string | undefined): string {
  if (!header) return "{}";
  const cookies = fromHeaderText(header)
    .split(";")
    .map((pair): [string, string] => {
      const equals = pair.indexOf("=");
      return equals < 0 ? [pair.trim(), ""] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    });
  return JSON.stringify(Object.fromEntries(cookies));
}
