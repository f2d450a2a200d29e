import { isToOne, type QualifiedName, type Relationship, type Table } from "../schema-cache/types.ts";
import type { LogicTree, OrderTerm, RowRange, SelectItem } from "./query-types.ts";

export type SelectedField = Extract<SelectItem, { kind: "field" }>;

/** One resource of a read and how it hangs on its parent; the children are the resources embedded in it. */
export type ReadPlan = {
  /** What SQL reads from; the name of the statement's own source for the rows of a write or call. */
  from: QualifiedName;
  /** The name its columns go by in SQL. */
  sqlName: QualifiedName;
  /** Null where nothing is known of its columns: rows of a function without a table type. */
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
  /** The parent's rows are those of a write or call, which bring themselves along as one value. */
  parentIsSource: boolean;
};

/** Rows of a write or of a function call go by this name in the statement that shapes the answer. */
export const sourceName: QualifiedName = { schema: "", name: "pgrst_source" };
/** The column in which they bring themselves along where a function takes the whole row. */
export const SELF = "pgrst_self";

/** The key under which an embedded resource appears in its parent's row. */
export function outputName(plan: ReadPlan): string {
  return plan.alias ?? plan.name;
}

/** A spread whose columns become arrays. */
export function spreadsMany({ link }: ReadPlan): boolean {
  return link?.spread === true && !isToOne(link.relationship);
}

/** A spread whose columns stand beside those of the resource that shows them. */
export function spreadsOne({ link }: ReadPlan): boolean {
  return link?.spread === true && isToOne(link.relationship);
}

/** Whether each of its rows is joined as a row; those of other resources to many are gathered in one value. */
export function joinsRows({ link }: ReadPlan): boolean {
  return link !== null && (link.spread || isToOne(link.relationship));
}

/** Whether its rows are groups: of its own aggregates, or of those that its spreads to one hand to it. */
export function isGrouped(plan: ReadPlan): boolean {
  return !spreadsOne(plan) && (aggregates(plan) || plan.children.some(handsAggregates));
}

function aggregates({ select }: ReadPlan): boolean {
  return select.some((field) => field.aggregate !== null);
}

function handsAggregates(plan: ReadPlan): boolean {
  return spreadsOne(plan) && (aggregates(plan) || plan.children.some(handsAggregates));
}

/** `rel()`: joined for its filters' sake, not shown. */
export function isEmptyEmbed(plan: ReadPlan): boolean {
  return plan.select.length === 0 && plan.children.every(isEmptyEmbed);
}

export function wholeRange(range: RowRange): boolean {
  return range.offset === 0 && range.limit === null;
}
