import type { QualifiedName, Relationship, Table } from "../schema-cache/types.ts";
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

export type Link = {
  relationship: Relationship;
  join: "inner" | "left";
  spread: boolean;
  /** Name of the joined subquery in the parent's SQL. */
  joinName: string;
  /** The parent's name in SQL. */
  parentSqlName: QualifiedName;
};

/** The key under which an embedded resource appears in its parent's row. */
export function outputName(plan: ReadPlan): string {
  return plan.alias ?? plan.name;
}

export function wholeRange(range: RowRange): boolean {
  return range.offset === 0 && range.limit === null;
}
