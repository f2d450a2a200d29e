import { quoteIdentifier } from "#backend/postgres/quote.ts";
import type { Aggregate, OrderTerm } from "../query/query-types.ts";
import {
  isEmptyEmbed,
  outputName,
  type ReadPlan,
  type SelectedField,
  spreadsMany,
} from "../query/read-plan.ts";
import { castSql, directionSql, selectedName } from "./expressions.ts";

/** A column that the subquery of a spread hands to its parent, which shows it, aggregates it or gathers it in an array. */
export type Handed = {
  /** In the subquery. */
  column: string;
  origin: Origin;
  /** In the answer; null for what only helps there. */
  name: string | null;
  aggregate: { function: Aggregate; cast: string | null } | null;
  /** The column that is true where the spread to many has a row; null outside of one. */
  gate: string | null;
  distinct: boolean;
  /** How arrays are sorted by this column. */
  sort: string | null;
};

/** Where the subquery takes it from. */
export type Origin =
  | { kind: "field"; field: SelectedField }
  | { kind: "order"; term: OrderTerm }
  | { kind: "embed"; child: ReadPlan }
  | { kind: "passed"; child: ReadPlan; column: string }
  | { kind: "true" };

const helper = { name: null, aggregate: null, gate: null, distinct: false, sort: null };

/** All that `...rel(a,b)` hands up, its own columns and those of spreads inside it. */
export function handedBy(plan: ReadPlan): Handed[] {
  const { link } = plan;
  if (!link) return [];
  const many = spreadsMany(plan);
  const here = `${link.joinName}_here`;
  const gate = many ? here : null;
  const { distinct } = link;
  const own = plan.select.map((field, index): Handed => {
    const name = selectedName(field, true) ?? field.field.name;
    const { aggregate, aggregateCast: cast } = field;
    const column = aggregate ? `${link.joinName}_aggregated_${index}` : name;
    const origin = { kind: "field", field } as const;
    return {
      ...helper,
      column,
      origin,
      name,
      aggregate: aggregate && { function: aggregate, cast },
      gate,
      distinct,
    };
  });
  const keys = (many ? plan.order : []).map((term, index): Handed => {
    const column = `${link.joinName}_order_${index}`;
    return { ...helper, column, origin: { kind: "order", term }, sort: directionSql(term) };
  });
  const passed = plan.children.flatMap((child) => handedThrough(plan, child, gate, distinct));
  const mark: Handed = { ...helper, column: here, origin: { kind: "true" } };
  return [...own, ...(many ? [mark] : []), ...keys, ...passed];
}

function handedThrough(plan: ReadPlan, child: ReadPlan, gate: string | null, distinct: boolean): Handed[] {
  if (!child.link?.spread) {
    if (isEmptyEmbed(child)) return [];
    const name = outputName(child);
    return [{ ...helper, column: name, origin: { kind: "embed", child }, name, gate, distinct }];
  }
  const nested = handedBy(child);
  const renamed = new Map(
    nested.map(({ column }, index) => [column, `${plan.link?.joinName}_${child.link?.joinName}_${index}`]),
  );
  return nested.map((handed) => ({
    ...handed,
    column: renamed.get(handed.column) as string,
    origin: { kind: "passed", child, column: handed.column },
    // Arrays of one spread stay in step with each other, so the outermost says which rows count.
    gate: gate ?? (handed.gate && (renamed.get(handed.gate) as string)),
    distinct: distinct || handed.distinct,
  }));
}

/** What a spread adds to the select of the resource that shows it; `grouped` says that its rows are grouped by it. */
export function shownColumns(child: ReadPlan): { sql: string; grouped: boolean }[] {
  const join = quoteIdentifier(child.link?.joinName ?? "");
  const handed = handedBy(child);
  const keys = handed.flatMap(({ sort, column }) =>
    sort === null ? [] : [`${join}.${quoteIdentifier(column)}${sort}`],
  );
  return handed.flatMap((column) => {
    if (column.name === null) return [];
    const grouped = column.aggregate === null && column.gate === null;
    return [{ sql: `${shownSql(column, join, keys)} AS ${quoteIdentifier(column.name)}`, grouped }];
  });
}

function shownSql({ column, aggregate, gate, distinct }: Handed, join: string, keys: string[]): string {
  const source = `${join}.${quoteIdentifier(column)}`;
  if (aggregate) return castSql(`${aggregate.function}(${source})`, aggregate.cast);
  if (gate === null) return source;
  const isThere = `${join}.${quoteIdentifier(gate)}`;
  if (distinct)
    return `COALESCE(json_agg(DISTINCT ${source}) FILTER (WHERE ${isThere} AND ${source} IS NOT NULL), '[]')`;
  const order = keys.length === 0 ? "" : ` ORDER BY ${keys.join(", ")}`;
  return `COALESCE(json_agg(${source}${order}) FILTER (WHERE ${isThere}), '[]')`;
}
