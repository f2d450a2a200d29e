import type { QualifiedName, SchemaCache } from "#backend/rest/schema-cache/types.ts";

/** What rest/v1 knows of the database, as plain data: pairs of a name and what goes by it, under the original's keys. */
export function describeSchema(cache: SchemaCache) {
  const tables = [...cache.tables.values()];
  return {
    dbTables: tables.map((table) => [named(table), { ...table, columns: [...table.columns.values()] }]),
    dbRelationships: [...cache.relationships.values()].map((list) => [list[0] && named(list[0].table), list]),
    dbRoutines: [...cache.routines.values()].map((list) => [list[0] && named(list[0]), list]),
    dbRepresentations: tables.flatMap((table) =>
      [...table.columns.values()].flatMap(({ name, representation }) =>
        representation ? [[named(table), name, representation]] : [],
      ),
    ),
    dbMediaHandlers: cache.mediaHandlers,
  };
}

function named({ schema, name }: QualifiedName) {
  return { qiName: name, qiSchema: schema };
}
