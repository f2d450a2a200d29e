import type { Row } from "#backend/postgres/database.ts";
import {
  type ComputedRelationship,
  type NameKey,
  nameKey,
  type QualifiedName,
  type Relationship,
  type Routine,
  type Table,
} from "./types.ts";

const volatilities = { v: "volatile", s: "stable", i: "immutable" } as const;

/** Functions that a request can give arguments to: all named, or a single unnamed one of a type that holds a body. */
export function routinesByName(rows: Row[]): Map<NameKey, Routine[]> {
  const callable = rows.filter((row) => row.callable === "true").map(toRoutine);
  return Map.groupBy(callable, (routine) => nameKey(routine.schema, routine.name));
}

function toRoutine(row: Row): Routine {
  return {
    schema: row.schema as string,
    name: row.name as string,
    comment: row.comment ?? null,
    params: JSON.parse(row.params as string),
    returns: {
      isSet: row.is_set === "true",
      kind: row.kind as Routine["returns"]["kind"],
      typeName: row.type_name == null ? null : { schema: row.type_schema as string, name: row.type_name },
    },
    volatility: volatilities[row.volatility as keyof typeof volatilities],
    hasVariadic: row.has_variadic === "true",
    settings: row.settings == null ? [] : (JSON.parse(row.settings) as string[]).map(splitSetting),
  };
}

function splitSetting(text: string): [string, string] {
  const equals = text.indexOf("=");
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** Functions from one row of a table to rows of a table can be embedded like a related resource. */
export function computedRelationships(
  rows: Row[],
  tables: ReadonlyMap<NameKey, Table>,
): Map<NameKey, Relationship[]> {
  const found = rows.flatMap((row): ComputedRelationship[] => {
    const table = typeOf(row.argument_schema, row.argument_type);
    const foreignTable = typeOf(row.type_schema, row.type_name);
    if (!table || !foreignTable) return [];
    if (!tables.has(nameKey(table.schema, table.name))) return [];
    if (!tables.has(nameKey(foreignTable.schema, foreignTable.name))) return [];
    const fn = { schema: row.schema as string, name: row.name as string };
    return [{ kind: "computed", table, foreignTable, function: fn, toOne: row.to_one === "true" }];
  });
  return Map.groupBy(found, ({ table }) => nameKey(table.schema, table.name));
}

function typeOf(schema: string | null | undefined, name: string | null | undefined): QualifiedName | null {
  return schema && name ? { schema, name } : null;
}
