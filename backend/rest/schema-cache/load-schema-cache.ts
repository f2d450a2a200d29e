import type { Database } from "#backend/postgres/database.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";
import * as queries from "./catalogue-queries.ts";
import { buildRelationships, type DescribedTable, type ForeignKey, type UniqueKey } from "./relationships.ts";
import { computedFields, computedRelationships, type RoutineRow, routinesByName } from "./routines.ts";
import {
  type Column,
  type MediaHandler,
  type NameKey,
  nameKey,
  type SchemaCache,
  type Table,
} from "./types.ts";
import { originOfViewColumns, primaryKeyOfView, type ViewColumns } from "./view-columns.ts";

type TableRow = Omit<Table, "primaryKey" | "columns" | "computed"> & { oid: string };
type ColumnRow = Column & { tableOid: string; position: number };

// With an empty search path, types are schema-qualified: requests have a different search path than this connection.
const namesOutside = { text: "select pg_catalog.set_config('search_path', '', true)", values: [] };

/** Exposed schemas do not exist: read as empty ones, a misspelled name would answer 404 to everything. */
export class MissingSchemaError extends Error {
  override name = "MissingSchemaError";
  readonly schemas: readonly string[];

  constructor(schemas: readonly string[]) {
    super(`not in the database: ${schemas.join(", ")}`);
    this.schemas = schemas;
  }
}

/**
 * Reads the exposed schemas from the system catalog. Read-only; any login role may run it.
 * @throws MissingSchemaError
 */
export async function loadSchemaCache(database: Database, schemas: readonly string[]): Promise<SchemaCache> {
  // The fingerprint is read first, so that a change during the load is detected by the next comparison.
  const fingerprint = await readFingerprint(database, schemas);
  await requireSchemas(database, schemas);
  const { version, begins } = await readServer(database);
  async function read<T>(query: string): Promise<T[]> {
    const text = `select coalesce(pg_catalog.json_agg(found), '[]')::text as rows from (${query}) found`;
    const [row] = await database.batch([namesOutside, { text, values: [arrayLiteral(schemas)] }]);
    return JSON.parse(row?.rows as string);
  }
  const [tables, columns, uniqueKeys, foreignKeys, views, routines, handlers, settings, comments] =
    await Promise.all([
      read<TableRow>(queries.tablesQuery),
      read<ColumnRow>(queries.columnsQuery),
      read<UniqueKey>(queries.uniqueKeysQuery),
      read<ForeignKey>(queries.foreignKeysQuery),
      read<{ oid: string; definition: string }>(queries.viewsQuery),
      read<RoutineRow>(queries.routinesQuery),
      read<MediaHandler>(queries.mediaHandlersQuery),
      read<{ role: string; name: string; value: string }>(queries.roleSettingsQuery(version)),
      read<{ name: string; comment: string | null }>(queries.schemaCommentsQuery),
    ]);
  const origins = originOfViewColumns(views);
  const described = describeTables(tables, columns, uniqueKeys, origins, computedFields(routines));
  const relationships = buildRelationships({ tables: described, foreignKeys, uniqueKeys, origins });
  const tableMap = new Map(
    [...described.values()].map(({ table }) => [nameKey(table.schema, table.name), table]),
  );
  const settingsByRole = Map.groupBy(settings, ({ role }) => role);
  return {
    tables: tableMap,
    relationships: withComputed(relationships, computedRelationships(routines, tableMap)),
    routines: routinesByName(routines),
    mediaHandlers: handlers,
    roleSettings: new Map(
      [...settingsByRole].map(([role, list]) => [
        role,
        list.map(({ name, value }) => [name, value] as const),
      ]),
    ),
    begins,
    schemaComments: new Map(comments.flatMap(({ name, comment }) => (comment ? [[name, comment]] : []))),
    fingerprint,
  };
}

async function readServer(database: Database): Promise<{ version: number } & Pick<SchemaCache, "begins">> {
  const [row] = await database.query(
    `select current_setting('server_version_num') as version, current_setting('default_transaction_read_only') as reads,
      current_setting('default_transaction_isolation') as isolation`,
  );
  const begins = { readOnly: row?.reads === "on", isolation: String(row?.isolation) };
  return { version: Number(row?.version), begins };
}

async function requireSchemas(database: Database, schemas: readonly string[]): Promise<void> {
  const missing = await database.query(queries.missingSchemasQuery, [arrayLiteral(schemas)]);
  if (missing.length > 0) throw new MissingSchemaError(missing.map(({ name }) => name as string));
}

export async function readFingerprint(database: Database, schemas: readonly string[]): Promise<string> {
  const [row] = await database.query(queries.fingerprintQuery, [arrayLiteral(schemas)]);
  return row?.fingerprint ?? "";
}

function describeTables(
  tables: TableRow[],
  columns: ColumnRow[],
  keys: UniqueKey[],
  origins: Map<string, ViewColumns>,
  computedOf: Map<NameKey, ReadonlyMap<string, string>>,
): Map<string, DescribedTable> {
  const columnsOf = Map.groupBy(columns, ({ tableOid }) => tableOid);
  const primaryKeys = new Map(keys.filter((key) => key.isPrimary).map((key) => [key.tableOid, key.columns]));
  const described = new Map<string, DescribedTable>();
  for (const { oid, ...table } of tables) {
    const own = columnsOf.get(oid) ?? [];
    const columnByPosition = new Map(own.map(({ position, name }) => [position, name]));
    const positions = primaryKeys.get(oid) ?? primaryKeyOfView(origins.get(oid), primaryKeys);
    const primaryKey = positions.map((position) => columnByPosition.get(position) as string);
    const byName = new Map(own.map(({ tableOid, position, ...column }) => [column.name, column]));
    const computed = computedOf.get(nameKey(table.schema, table.name)) ?? new Map();
    described.set(oid, { oid, columnByPosition, table: { ...table, primaryKey, columns: byName, computed } });
  }
  return described;
}

function withComputed<T>(byTable: Map<NameKey, T[]>, computed: Map<NameKey, T[]>): Map<NameKey, T[]> {
  for (const [key, list] of computed) byTable.set(key, [...(byTable.get(key) ?? []), ...list]);
  return byTable;
}
