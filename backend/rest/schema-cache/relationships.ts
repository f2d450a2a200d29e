import {
  type KeyRelationship,
  type NameKey,
  nameKey,
  type QualifiedName,
  type Relationship,
  type Table,
} from "./types.ts";
import { positionsOf, type ViewColumns } from "./view-columns.ts";

/** A table with the catalog's OID and column numbers. */
export type DescribedTable = { oid: string; table: Table; columnByPosition: Map<number, string> };
export type UniqueKey = { tableOid: string; isPrimary: boolean; columns: number[] };

export type ForeignKey = {
  name: string;
  tableOid: string;
  foreignOid: string;
  columns: number[];
  foreignColumns: number[];
};

type Catalogue = {
  /** By OID. */
  tables: Map<string, DescribedTable>;
  foreignKeys: ForeignKey[];
  uniqueKeys: UniqueKey[];
  /** Of views, by OID. */
  origins: Map<string, ViewColumns>;
};

/**
 * Relationships from foreign keys, in both directions, also between views that expose their columns, and through
 * junction tables.
 */
export function buildRelationships(catalogue: Catalogue): Map<NameKey, Relationship[]> {
  const toOne = catalogue.foreignKeys.flatMap((key) => relationshipsOf(key, catalogue));
  // The order in which an ambiguous relationship's candidates are reported.
  const all = [...toOne.map(reversed), ...toOne, ...junctions(toOne, catalogue)];
  const byTable = Map.groupBy(all, ({ table }) => nameKey(table.schema, table.name));
  const related = joinedByHiddenTables(catalogue);
  return new Map([...related.map((key): [NameKey, Relationship[]] => [key, []]), ...byTable]);
}

/**
 * Tables joined only by a junction table in a hidden schema: they count as having relationships, but none is usable.
 */
function joinedByHiddenTables(catalogue: Catalogue): NameKey[] {
  const { tables, foreignKeys, uniqueKeys } = catalogue;
  const primaryKeys = new Map(
    uniqueKeys.filter((key) => key.isPrimary).map((key) => [key.tableOid, key.columns]),
  );
  const hidden = foreignKeys.filter(
    (key) =>
      !tables.has(key.tableOid) &&
      key.columns.every((column) => primaryKeys.get(key.tableOid)?.includes(column)),
  );
  const byJunction = Map.groupBy(hidden, (key) => key.tableOid);
  return [...byJunction.values()]
    .filter((keys) => keys.length > 1)
    .flatMap((keys) => keys.flatMap((key) => windowsOf(key.foreignOid, key.foreignColumns, catalogue)))
    .map(({ described: { table } }) => nameKey(table.schema, table.name));
}

/** A table or view that exposes a foreign key's columns. */
type Window = { described: DescribedTable; columns: string[] };

function relationshipsOf(key: ForeignKey, catalogue: Catalogue): KeyRelationship[] {
  const isOneToOne = catalogue.uniqueKeys.some(
    (unique) => unique.tableOid === key.tableOid && sameMembers(unique.columns, key.columns),
  );
  const near = windowsOf(key.tableOid, key.columns, catalogue);
  const far = windowsOf(key.foreignOid, key.foreignColumns, catalogue);
  return near.flatMap((from) =>
    far.filter((to) => inOneSchema(from, to)).map((to) => keyRelationship(key, from, to, isOneToOne)),
  );
}

function windowsOf(tableOid: string, columns: number[], { tables, origins }: Catalogue): Window[] {
  const windows: Window[] = [];
  for (const [oid, described] of tables) {
    const view = origins.get(oid);
    const ways = oid === tableOid ? [columns] : view ? positionsOf(view, tableOid, columns) : [];
    for (const positions of ways)
      windows.push({ described, columns: positions.map((p) => described.columnByPosition.get(p) as string) });
  }
  return windows;
}

function inOneSchema(from: Window, to: Window): boolean {
  return from.described.table.schema === to.described.table.schema;
}

function keyRelationship(key: ForeignKey, from: Window, to: Window, isOneToOne: boolean): KeyRelationship {
  return {
    kind: "key",
    table: nameOf(from.described),
    foreignTable: nameOf(to.described),
    isSelf: from.described.oid === to.described.oid,
    tableIsView: from.described.table.isView,
    foreignTableIsView: to.described.table.isView,
    cardinality: isOneToOne ? "one-to-one" : "many-to-one",
    constraint: key.name,
    columns: from.columns.map((column, index) => [column, to.columns[index] as string] as const),
    isParent: false,
    junction: null,
  };
}

function nameOf({ table }: DescribedTable): QualifiedName {
  return { schema: table.schema, name: table.name };
}

function reversed(relationship: KeyRelationship): KeyRelationship {
  return {
    ...relationship,
    table: relationship.foreignTable,
    foreignTable: relationship.table,
    tableIsView: relationship.foreignTableIsView,
    foreignTableIsView: relationship.tableIsView,
    cardinality: relationship.cardinality === "one-to-one" ? "one-to-one" : "one-to-many",
    columns: relationship.columns.map(([own, foreign]) => [foreign, own] as const),
    isParent: true,
  };
}

/** Two many-to-one foreign keys of a table that are both part of its primary key relate their tables many-to-many. */
function junctions(toOne: KeyRelationship[], { tables }: Catalogue): KeyRelationship[] {
  const primaryKeys = new Map(
    [...tables.values()].map(({ table }) => [nameKey(table.schema, table.name), table.primaryKey]),
  );
  const manyToOne = toOne.filter(({ cardinality }) => cardinality === "many-to-one");
  const byTable = Map.groupBy(manyToOne, ({ table }) => nameKey(table.schema, table.name));
  return [...byTable].flatMap(([key, relationships]) =>
    relationships.flatMap((first) =>
      relationships
        .filter((second) => isJunction(first, second, primaryKeys.get(key) ?? []))
        .map((second) => manyToMany(first, second)),
    ),
  );
}

function isJunction(first: KeyRelationship, second: KeyRelationship, primaryKey: readonly string[]): boolean {
  if (first.constraint === second.constraint) return false;
  return [...first.columns, ...second.columns].every(([column]) => primaryKey.includes(column));
}

function manyToMany(first: KeyRelationship, second: KeyRelationship): KeyRelationship {
  return {
    kind: "key",
    table: first.foreignTable,
    foreignTable: second.foreignTable,
    isSelf: first.foreignTable.name === second.foreignTable.name,
    tableIsView: first.foreignTableIsView,
    foreignTableIsView: second.foreignTableIsView,
    cardinality: "many-to-many",
    constraint: first.constraint,
    columns: [],
    isParent: false,
    junction: {
      table: first.table,
      constraint: first.constraint,
      foreignConstraint: second.constraint,
      sourceColumns: first.columns.map(([own, foreign]) => [foreign, own] as const),
      targetColumns: second.columns.map(([own, foreign]) => [foreign, own] as const),
    },
  };
}

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}
