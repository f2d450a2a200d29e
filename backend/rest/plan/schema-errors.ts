import { type ApiError, apiError } from "../api-error.ts";
import {
  type KeyRelationship,
  nameKey,
  type Relationship,
  type Routine,
  type SchemaCache,
  type Table,
} from "../schema-cache/types.ts";
import { closestMatch, rankMatches } from "./fuzzy-match.ts";

/**
 * How similar a table or function must be, from 0 to 1, before an error hints at it: hints for any guess would disclose
 * the schema. Both thresholds are PostgREST's.
 */
const NAME_SIMILARITY = 0.75;
/** The same for what belongs to a name that the client knows: a function's parameters, and relationships. */
const PART_SIMILARITY = 0.33;

/** Error codes that a stale schema cache can cause. */
export const schemaCacheMisses = new Set(["PGRST200", "PGRST202", "PGRST204", "PGRST205"]);

/** @throws ApiError PGRST205 */
export function requireTable(cache: SchemaCache, schema: string, name: string): Table {
  const table = cache.tables.get(nameKey(schema, name));
  if (!table) throw tableNotFound(cache, schema, name);
  return table;
}

function tableNotFound(cache: SchemaCache, schema: string, name: string): ApiError {
  const names = [...cache.tables.values()]
    .filter((table) => table.schema === schema)
    .map((table) => table.name);
  const closest = closestMatch(names, name, NAME_SIMILARITY);
  return apiError(
    404,
    "PGRST205",
    `Could not find the table '${schema}.${name}' in the schema cache`,
    null,
    closest === null ? null : `Perhaps you meant the table '${schema}.${closest}'`,
  );
}

export function columnNotFound(table: string, column: string): ApiError {
  return apiError(400, "PGRST204", `Could not find the '${column}' column of '${table}' in the schema cache`);
}

export function relationshipNotFound(
  cache: SchemaCache,
  schema: string,
  parent: string,
  child: string,
  hint: string | null,
): ApiError {
  const usingHint = hint === null ? "" : `' using the hint '${hint}`;
  return apiError(
    400,
    "PGRST200",
    `Could not find a relationship between '${parent}' and '${child}' in the schema cache`,
    `Searched for a foreign key relationship between '${parent}' and '${child}${usingHint}' in the schema '${schema}', but no matches were found.`,
    relationshipHint(cache, schema, parent, child),
  );
}

function relationshipHint(cache: SchemaCache, schema: string, parent: string, child: string): string | null {
  const known = cache.relationships.get(nameKey(schema, parent));
  if (!known) {
    const parents = [...cache.relationships.values()].flatMap((list) => list[0]?.table ?? []);
    const names = parents.filter((table) => table.schema === schema).map((table) => table.name);
    return perhaps(closestMatch(names, parent, PART_SIMILARITY), parent);
  }
  const children = known.map((relationship) => relationship.foreignTable.name);
  const best = rankMatches(children, child, PART_SIMILARITY).find(({ score }) => score < 1);
  return perhaps(best?.candidate ?? null, child);
}

function perhaps(suggestion: string | null, instead: string): string | null {
  return suggestion === null ? null : `Perhaps you meant '${suggestion}' instead of '${instead}'.`;
}

export function ambiguousRelationship(
  parent: string,
  child: string,
  found: readonly Relationship[],
): ApiError {
  const candidates = found.filter((relationship) => relationship.kind === "key");
  const choices = candidates.map(
    (relationship) => `'${relationship.foreignTable.name}!${choiceOf(relationship)}'`,
  );
  return apiError(
    300,
    "PGRST201",
    `Could not embed because more than one relationship was found for '${parent}' and '${child}'`,
    candidates.map(describeRelationship),
    `Try changing '${child}' to one of the following: ${choices.join(", ")}. Find the desired relationship in the 'details' key.`,
  );
}

function choiceOf(relationship: KeyRelationship): string {
  return relationship.junction ? relationship.junction.table.name : relationship.constraint;
}

function describeRelationship(relationship: KeyRelationship) {
  return {
    cardinality: relationship.cardinality,
    embedding: `${relationship.table.name} with ${relationship.foreignTable.name}`,
    relationship: relationship.junction ? describeJunction(relationship.junction) : describeKey(relationship),
  };
}

function describeKey({ constraint, table, foreignTable, columns }: KeyRelationship): string {
  const own = columns.map(([column]) => column).join(", ");
  const foreign = columns.map(([, column]) => column).join(", ");
  return `${constraint} using ${table.name}(${own}) and ${foreignTable.name}(${foreign})`;
}

function describeJunction(junction: NonNullable<KeyRelationship["junction"]>): string {
  const source = junction.sourceColumns.map(([, column]) => column).join(", ");
  const target = junction.targetColumns.map(([, column]) => column).join(", ");
  return `${junction.table.name} using ${junction.constraint}(${source}) and ${junction.foreignConstraint}(${target})`;
}

/** The kind of body of a function call by POST: some fit only a single unnamed parameter. */
export type CallBody = "none" | "json" | "csv" | "text" | "xml" | "bytes" | "form";

/** PostgreSQL's limit. Of a body with a hundred thousand names, listing each would take seconds and twice its bytes. */
const MOST_PARAMETERS = 100;

const unnamedOnly: Partial<Record<CallBody, string>> = { text: "text", xml: "xml", bytes: "bytea" };

export function routineNotFound(
  cache: SchemaCache,
  schema: string,
  name: string,
  args: readonly string[],
  body: CallBody,
): ApiError {
  const sorted = args.slice(0, MOST_PARAMETERS).sort();
  if (args.length > MOST_PARAMETERS) sorted.push("…");
  const single = unnamedOnly[body];
  const fullName = `${schema}.${name}`;
  const given = sorted.length === 0 ? " without parameters" : `(${sorted.join(", ")})`;
  const searched =
    sorted.length === 0
      ? " without parameters"
      : ` with parameter${sorted.length > 1 ? "s" : ""} ${sorted.join(", ")}`;
  const fallback = body === "json" ? " or with a single unnamed json/jsonb parameter" : "";
  const how = single ? ` with a single unnamed ${single} parameter` : `${searched}${fallback}`;
  return apiError(
    404,
    "PGRST202",
    `Could not find the function ${fullName}${single ? "" : given} in the schema cache`,
    `Searched for the function ${fullName}${how}, but no matches were found in the schema cache.`,
    single ? null : routineHint(cache, schema, name, sorted),
  );
}

function routineHint(cache: SchemaCache, schema: string, name: string, args: string[]): string | null {
  const overloads = cache.routines.get(nameKey(schema, name));
  const prefix = `Perhaps you meant to call the function ${schema}.`;
  if (!overloads) {
    const names = [...cache.routines.values()].flat().filter((routine) => routine.schema === schema);
    const closest = closestMatch(
      names.map((routine) => routine.name),
      name,
      NAME_SIMILARITY,
    );
    return closest === null ? null : `${prefix}${closest}`;
  }
  const lists = overloads.map(({ params }) => parameterList(params.map((param) => param.name)));
  const closest = closestMatch(lists, parameterList(args), PART_SIMILARITY);
  return closest === null ? null : `${prefix}${name}${closest}`;
}

function parameterList(names: string[]): string {
  return `(${[...names].sort().join(", ")})`;
}

export function ambiguousRoutine(found: readonly Routine[]): ApiError {
  const described = found.map(({ schema, name, params }) => {
    const list = params.map((param) => `${param.name} => ${param.type}`).join(", ");
    return `${schema}.${name}(${list})`;
  });
  return apiError(
    300,
    "PGRST203",
    `Could not choose the best candidate function between: ${described.join(", ")}`,
    null,
    "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
  );
}
