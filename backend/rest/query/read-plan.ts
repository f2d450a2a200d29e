import { isToOne, type QualifiedName, type Relationship, type Table } from "../schema-cache/types.ts";
import type { LogicTree, OrderTerm, RowRange, SelectItem } from "./query-types.ts";

export type SelectedField = Extract<SelectItem, { kind: "field" }>;

/** One resource of a read and its link to the parent; children are the resources embedded in it. */
export type ReadPlan = {
  /** The relation to read from; the statement's source for rows of a write or call. */
  from: QualifiedName;
  /** The name that qualifies its columns in SQL. */
  sqlName: QualifiedName;
  /** Null if its columns are unknown: rows of a function without a table type. */
  table: Table | null;
  /** Name and alias as the request gave them. */
  name: string;
  alias: string | null;
  depth: number;
  select: SelectedField[];
  where: LogicTree[];
  order: OrderTerm[];
  range: RowRange;
  /** Null for the root. */
  link: Link | null;
  children: ReadPlan[];
};

type Link = {
  relationship: Relationship;
  join: "inner" | "left";
  spread: boolean;
  /** Name of the joined subquery in the parent's SQL. */
  joinName: string;
  /** The parent's name in SQL. */
  parentSqlName: QualifiedName;
  /** The parent's rows come from a write or call, and include the row as one value. */
  parentIsSource: boolean;
};

/** Name of the CTE with the rows of a write or function call in the final statement. */
export const sourceName: QualifiedName = { schema: "", name: "pgrst_source" };
/** Its column that holds the whole row, for functions that take it. */
export const SELF = "pgrst_self";

/** The key under which an embedded resource appears in its parent's row. */
export function outputName(plan: ReadPlan): string {
  return plan.alias ?? plan.name;
}

/** A to-many spread: its columns become arrays. */
export function spreadsMany({ link }: ReadPlan): boolean {
  return link?.spread === true && !isToOne(link.relationship);
}

/** A to-one spread: its columns appear next to the parent's. */
export function spreadsOne({ link }: ReadPlan): boolean {
  return link?.spread === true && isToOne(link.relationship);
}

/** Whether its rows are joined individually; other to-many resources are aggregated into one value. */
export function joinsRows({ link }: ReadPlan): boolean {
  return link !== null && (link.spread || isToOne(link.relationship));
}

/** Whether its rows are grouped: by its own aggregates, or by those of its to-one spreads. */
export function isGrouped(plan: ReadPlan): boolean {
  return !spreadsOne(plan) && (aggregates(plan) || plan.children.some(handsAggregates));
}

function aggregates({ select }: ReadPlan): boolean {
  return select.some((field) => field.aggregate !== null);
}

function handsAggregates(plan: ReadPlan): boolean {
  return spreadsOne(plan) && (aggregates(plan) || plan.children.some(handsAggregates));
}

/** `rel()`: joined only to filter, not selected. */
export function isEmptyEmbed(plan: ReadPlan): boolean {
  return plan.select.length === 0 && plan.children.every(isEmptyEmbed);
}

export function wholeRange(range: RowRange): boolean {
  return range.offset === 0 && range.limit === null;
}
