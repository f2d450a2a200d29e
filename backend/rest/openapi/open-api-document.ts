import { quoteIdentifier } from "#backend/postgres/quote.ts";
import { type NameKey, nameKey, type Routine, type SchemaCache, type Table } from "../schema-cache/types.ts";
import { tableDefinition } from "./definitions.ts";
import { sharedParameters } from "./parameters.ts";
import { jsonTypes, rootPath, routinePath, tablePath } from "./paths.ts";
import { type SwaggerDocument, splitComment } from "./swagger-types.ts";
import type { VisibleNames } from "./visible-names.ts";

export type OpenApiOptions = {
  schema: string;
  /** The schemas whose types and functions need no qualification. */
  searchPath: readonly string[];
  /** Names the role may use; `"all"` if privileges are ignored (`openapi-mode`). */
  visible: VisibleNames | "all";
  /** Absolute base URL of the resources, `https://example.com/rest/v1`. */
  baseUrl: string;
  /** Declares bearer authentication (PGRST_OPENAPI_SECURITY_ACTIVE). */
  security: boolean;
};

const dialect = "16.2";
const documentation = {
  description: "PostgREST Documentation",
  url: "https://postgrest.org/en/v16/references/api.html",
};
const security: Pick<SwaggerDocument, "securityDefinitions" | "security"> = {
  securityDefinitions: {
    JWT: {
      type: "apiKey",
      name: "Authorization",
      in: "header",
      description: 'Add the token prepending "Bearer " (without quotes) to it',
    },
  },
  security: [{ JWT: [] }],
};

/**
 * Describes one exposed schema as an OpenAPI 2.0 document, like PostgREST's root endpoint (protocol: `getOpenApiSpec`).
 */
export function openApiDocument(cache: SchemaCache, options: OpenApiOptions): SwaggerDocument {
  const { schema, visible } = options;
  const tables = [...cache.tables.values()].filter(
    (table) => table.schema === schema && (visible === "all" || visible.tables.has(table.name)),
  );
  const routines = routinesOf(cache, schema)
    .filter((routine) => visible === "all" || visible.routines.has(routine.name))
    .map((routine) => withShortTypes(routine, options.searchPath));
  return {
    swagger: "2.0",
    info: describeSchema(cache.schemaComments.get(schema) ?? null),
    ...location(options.baseUrl),
    consumes: [...jsonTypes, "text/csv"],
    produces: [...jsonTypes, "text/csv"],
    paths: Object.fromEntries([
      ["/", rootPath],
      ...tables.map((table) => [`/${table.name}`, tablePath(table)]),
      ...routines.map((routine) => [`/rpc/${routine.name}`, routinePath(routine)]),
    ]),
    definitions: Object.fromEntries(
      tables.map((table) => [table.name, tableDefinition(table, relationshipsOf(cache, table))]),
    ),
    parameters: sharedParameters(tables),
    externalDocs: documentation,
    ...(options.security && security),
  };
}

function describeSchema(comment: string | null): SwaggerDocument["info"] {
  const { summary, description } = splitComment(comment);
  return {
    title: summary ?? "PostgREST API",
    description: description ?? "This is a dynamic API generated from the database's schema",
    version: dialect,
  };
}

function location(baseUrl: string): Pick<SwaggerDocument, "host" | "basePath" | "schemes"> {
  const { protocol, host, hostname, port, pathname } = new URL(baseUrl);
  const secure = protocol === "https:";
  return {
    host: port === "" ? `${hostname}:${secure ? 443 : 80}` : host,
    basePath: pathname.length > 1 ? pathname.replace(/\/$/, "") : "/",
    schemes: [secure ? "https" : "http"],
  };
}

function relationshipsOf(cache: SchemaCache, { schema, name }: Table) {
  return cache.relationships.get(nameKey(schema, name)) ?? [];
}

/** One routine per name: a path describes only one signature, so the last overload stands for all. */
function routinesOf(cache: SchemaCache, schema: string): Routine[] {
  const entries: [NameKey, readonly Routine[]][] = [...cache.routines];
  return entries
    .flatMap(([, overloads]) => overloads.slice(-1))
    .filter((routine) => routine.schema === schema);
}

/** Parameter types without the schema prefix: PostgREST qualifies the types of columns, but not of parameters. */
function withShortTypes(routine: Routine, searchPath: readonly string[]): Routine {
  const prefixes = searchPath.flatMap((schema) => [`${schema}.`, `${quoteIdentifier(schema)}.`]);
  const short = (type: string) => type.slice(prefixes.find((prefix) => type.startsWith(prefix))?.length ?? 0);
  return { ...routine, params: routine.params.map((param) => ({ ...param, type: short(param.type) })) };
}
