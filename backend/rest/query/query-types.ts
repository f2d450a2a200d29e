import type { OperatorOf } from "./operators.ts";

/** The query string of a request, parsed but not yet looked up in the schema cache. */
export type RestQuery = {
  select: SelectItem[];
  filters: Placed<Filter>[];
  logic: Placed<LogicTree>[];
  order: Placed<OrderTerm[]>[];
  ranges: Placed<RowRange>[];
  /** `columns=`; null when absent. */
  columns: string[] | null;
  /** `on_conflict=`; null when absent. */
  onConflict: string[] | null;
  /** Parameters of a function called by GET, in the order given. */
  args: [name: string, value: string][];
};

/** A clause about the resource at `path`: [] is the root, ["clients"] the embedded clients. */
export type Placed<T> = { path: string[]; value: T };

export type JsonStep = { arrow: "->" | "->>"; key: string; isIndex: boolean };

export type Field = { name: string; path: JsonStep[] };

export const aggregates = ["sum", "avg", "count", "max", "min"] as const;
export type Aggregate = (typeof aggregates)[number];

export type SelectItem =
  | {
      kind: "field";
      field: Field;
      alias: string | null;
      cast: string | null;
      aggregate: Aggregate | null;
      aggregateCast: string | null;
    }
  | {
      kind: "embed";
      spread: boolean;
      name: string;
      alias: string | null;
      hint: string | null;
      join: "inner" | "left" | null;
      items: SelectItem[];
    };

/** The column, or `*`, as it is. */
export function plainField(name: string): Extract<SelectItem, { kind: "field" }> {
  const field = { name, path: [] };
  return { kind: "field", field, alias: null, cast: null, aggregate: null, aggregateCast: null };
}

/**
 * A value that becomes a statement parameter. `slot` is the index of its query parameter if only the value follows the
 * operator there, so that requests of the same shape can reuse plan and SQL with their own values.
 */
export type Operand = { text: string; slot: number | null; render: OperandRender };
export type OperandRender = "plain" | "pattern" | "list";

export type Operation =
  | { kind: "compare"; operator: OperatorOf<"compare">; quantifier: Quantifier | null; value: Operand }
  | { kind: "search"; operator: OperatorOf<"search">; language: string | null; value: Operand }
  | { kind: "in"; values: Operand; isEmpty: boolean }
  | { kind: "is"; value: (typeof isValues)[number] }
  | { kind: "distinct"; value: Operand };

export type Quantifier = "any" | "all";
export const isValues = ["not_null", "null", "true", "false", "unknown"] as const;

export type Filter = { field: Field; negated: boolean; operation: Operation };

export type LogicTree =
  | { kind: "filter"; filter: Filter }
  | { kind: "group"; negated: boolean; operator: "and" | "or"; children: LogicTree[] };

export type OrderTerm = {
  /** The embedded resource that the field belongs to, or null. */
  relation: string | null;
  field: Field;
  direction: "asc" | "desc" | null;
  nulls: "first" | "last" | null;
};

/** Rows `offset` to `offset + limit - 1`; a null limit means all. */
export type RowRange = { offset: number; limit: number | null };
