import {
  type ComputedRelationship,
  type NameKey,
  nameKey,
  type QualifiedName,
  type Relationship,
  type Routine,
  type RoutineReturn,
  type Table,
} from "./types.ts";

/** A function's row from the catalog; if its only argument is a table's row, it is a computed field or relationship. */
export type RoutineRow = Pick<Routine, "schema" | "name" | "comment" | "params"> &
  Pick<RoutineReturn, "isSet" | "kind" | "mediaType" | "isBytes"> & {
    callable: boolean;
    returnType: string;
    typeSchema: string | null;
    typeName: string | null;
    volatility: keyof typeof volatilities;
    settings: string[] | null;
    toOne: boolean;
    argumentSchema: string | null;
    argumentType: string | null;
  };

const volatilities = { v: "volatile", s: "stable", i: "immutable" } as const;

/** Functions that a request can call: all parameters named, or a single unnamed one of a type that can hold a body. */
export function routinesByName(rows: RoutineRow[]): Map<NameKey, Routine[]> {
  const callable = rows.filter((row) => row.callable).map(toRoutine);
  return Map.groupBy(callable, (routine) => nameKey(routine.schema, routine.name));
}

function toRoutine({ schema, name, comment, params, isSet, kind, mediaType, ...row }: RoutineRow): Routine {
  return {
    schema,
    name,
    comment,
    params,
    returns: {
      isSet,
      kind,
      typeName: typeOf(row.typeSchema, row.typeName),
      // A set has no single value that could be the response.
      mediaType: isSet ? null : mediaType,
      isBytes: row.isBytes,
    },
    volatility: volatilities[row.volatility],
    settings: (row.settings ?? []).map(splitSetting),
  };
}

function splitSetting(text: string): [string, string] {
  const equals = text.indexOf("=");
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** Functions from a table's row to rows of a table can be embedded like a related resource. */
export function computedRelationships(
  rows: RoutineRow[],
  tables: ReadonlyMap<NameKey, Table>,
): Map<NameKey, Relationship[]> {
  const found = rows.flatMap((row): ComputedRelationship[] => {
    const table = typeOf(row.argumentSchema, row.argumentType);
    const foreignTable = typeOf(row.typeSchema, row.typeName);
    if (!table || !foreignTable) return [];
    if (!tables.has(nameKey(table.schema, table.name))) return [];
    if (!tables.has(nameKey(foreignTable.schema, foreignTable.name))) return [];
    const fn = { schema: row.schema, name: row.name };
    return [{ kind: "computed", table, foreignTable, function: fn, toOne: row.toOne }];
  });
  return Map.groupBy(found, ({ table }) => nameKey(table.schema, table.name));
}

/** Functions from a table's row to a scalar, by table. */
export function computedFields(rows: RoutineRow[]): Map<NameKey, ReadonlyMap<string, string>> {
  const fields = rows.filter((row) => row.argumentSchema && row.kind === "scalar" && !row.isSet);
  const byTable = Map.groupBy(fields, (row) => nameKey(row.argumentSchema ?? "", row.argumentType ?? ""));
  return new Map(
    [...byTable].map(([key, list]) => [key, new Map(list.map((row) => [row.name, row.returnType]))]),
  );
}

function typeOf(schema: string | null, name: string | null): QualifiedName | null {
  return schema && name ? { schema, name } : null;
}
