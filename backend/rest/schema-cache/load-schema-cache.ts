import type { Database, Row } from "#backend/postgres/database.ts";
import { arrayLiteral } from "../sql/identifiers.ts";
import * as queries from "./catalogue-queries.ts";
import { buildRelationships, type DescribedTable, type ForeignKey, type UniqueKey } from "./relationships.ts";
import { computedRelationships, routinesByName } from "./routines.ts";
import { type Column, type NameKey, nameKey, type SchemaCache, type Table } from "./types.ts";
import { originOfViewColumns, primaryKeyOfView, type ViewColumns } from "./view-columns.ts";

/** What the database's catalogue tells about the exposed schemas. Reads only; any login role may. */
export async function loadSchemaCache(database: Database, schemas: readonly string[]): Promise<SchemaCache> {
  const values = [arrayLiteral(schemas)];
  // The fingerprint is read first: a change that happens while the rest is read is found by the next comparison.
  const fingerprint = await readFingerprint(database, schemas);
  const read = (query: string) => database.query(query, values);
  const [tables, columns, uniqueKeys, foreignKeys, views, routines, settings, comments] = await Promise.all([
    read(queries.tablesQuery),
    read(queries.columnsQuery),
    read(queries.uniqueKeysQuery),
    read(queries.foreignKeysQuery),
    read(queries.viewsQuery),
    read(queries.routinesQuery),
    read(queries.roleSettingsQuery),
    read(queries.schemaCommentsQuery),
  ]);
  const keys = uniqueKeys.map(toUniqueKey);
  const origins = originOfViewColumns(views as { oid: string; definition: string }[]);
  const described = describeTables(tables, columns, keys, origins);
  const relationships = buildRelationships(described, foreignKeys.map(toForeignKey), keys, origins);
  const tableMap = new Map(
    [...described.values()].map(({ table }) => [nameKey(table.schema, table.name), table]),
  );
  return {
    tables: tableMap,
    relationships: withComputed(relationships, computedRelationships(routines, tableMap)),
    routines: routinesByName(routines),
    roleSettings: groupSettings(settings),
    schemaComments: new Map(
      comments.flatMap((row) => (row.comment ? [[row.name as string, row.comment]] : [])),
    ),
    fingerprint,
  };
}

export async function readFingerprint(database: Database, schemas: readonly string[]): Promise<string> {
  const [row] = await database.query(queries.fingerprintQuery, [arrayLiteral(schemas)]);
  return row?.fingerprint ?? "";
}

function describeTables(
  rows: Row[],
  columnRows: Row[],
  keys: UniqueKey[],
  origins: Map<string, ViewColumns>,
): Map<string, DescribedTable> {
  const columnsOf = Map.groupBy(columnRows, (row) => row.table_oid as string);
  const primaryKeys = new Map(keys.filter((key) => key.isPrimary).map((key) => [key.tableOid, key.columns]));
  const described = new Map<string, DescribedTable>();
  for (const row of rows) {
    const oid = row.oid as string;
    const own = columnsOf.get(oid) ?? [];
    const columnByPosition = new Map(own.map((column) => [Number(column.position), column.name as string]));
    const positions = primaryKeys.get(oid) ?? primaryKeyOfView(origins.get(oid), primaryKeys);
    const primaryKey = positions.map((position) => columnByPosition.get(position) as string);
    described.set(oid, { oid, columnByPosition, table: toTable(row, own, primaryKey) });
  }
  return described;
}

function toTable(row: Row, columns: Row[], primaryKey: string[]): Table {
  return {
    schema: row.schema as string,
    name: row.name as string,
    comment: row.comment ?? null,
    isView: row.is_view === "true",
    isPartition: row.is_partition === "true",
    insertable: row.insertable === "true",
    updatable: row.updatable === "true",
    deletable: row.deletable === "true",
    primaryKey,
    columns: new Map(columns.map((column) => [column.name as string, toColumn(column)])),
  };
}

function toColumn(row: Row): Column {
  return {
    name: row.name as string,
    comment: row.comment ?? null,
    nullable: row.nullable === "true",
    type: row.type as string,
    nominalType: row.nominal_type as string,
    maxLength: row.max_length == null ? null : Number(row.max_length),
    defaultExpression: row.default_expression ?? null,
    isGenerated: row.is_generated === "true",
    enumValues: row.enum_values == null ? [] : JSON.parse(row.enum_values),
  };
}

function toUniqueKey(row: Row): UniqueKey {
  return {
    tableOid: row.table_oid as string,
    isPrimary: row.is_primary === "true",
    columns: JSON.parse(row.columns as string),
  };
}

function toForeignKey(row: Row): ForeignKey {
  return {
    name: row.name as string,
    tableOid: row.table_oid as string,
    foreignOid: row.foreign_oid as string,
    columns: JSON.parse(row.columns as string),
    foreignColumns: JSON.parse(row.foreign_columns as string),
  };
}

function withComputed<T>(byTable: Map<NameKey, T[]>, computed: Map<NameKey, T[]>): Map<NameKey, T[]> {
  for (const [key, list] of computed) byTable.set(key, [...(byTable.get(key) ?? []), ...list]);
  return byTable;
}

function groupSettings(rows: Row[]): Map<string, [string, string][]> {
  const byRole = new Map<string, [string, string][]>();
  for (const row of rows) {
    const list = byRole.get(row.role as string) ?? [];
    list.push([row.name as string, row.value as string]);
    byRole.set(row.role as string, list);
  }
  return byRole;
}
