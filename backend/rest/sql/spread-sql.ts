import { quoteIdentifier } from "#backend/postgres/quote.ts";
import type { Aggregate } from "../query/query-types.ts";
import {
  isEmptyEmbed,
  outputName,
  type ReadPlan,
  type SelectedField,
  spreadsMany,
} from "../query/read-plan.ts";
import { castSql, selectedName } from "./expressions.ts";

/** A column that a spread's subquery passes to its parent, which selects or aggregates it. */
export type PassedColumn = {
  /** Its name in the subquery. */
  column: string;
  /** Its name in the response. */
  name: string;
  aggregate: { function: Aggregate; cast: string | null } | null;
};

/** Where a to-one spread's subquery takes the column from. */
export type Origin =
  | { kind: "field"; field: SelectedField }
  | { kind: "embed"; child: ReadPlan }
  | { kind: "passed"; child: ReadPlan; column: string };

/** The column of a to-many spread's subquery that tells whether there were rows. */
const HAS_ROWS = quoteIdentifier("pgrst_here");

/** All columns that `...rel(a,b)` passes up: its own and those of nested spreads. */
function columnsPassedBy(plan: ReadPlan): PassedColumn[] {
  if (!spreadsMany(plan)) return columnsPassedByOne(plan);
  return shownNames(plan).map((name, index) => ({
    column: `${plan.link?.joinName}_${index}`,
    name,
    aggregate: null,
  }));
}

/** Columns of a to-one spread's subquery. */
export function columnsPassedByOne(plan: ReadPlan): (PassedColumn & { origin: Origin })[] {
  const { link } = plan;
  if (!link) return [];
  const own = plan.select.map((field, index) => {
    const name = selectedName(field, true) ?? field.field.name;
    const { aggregate, aggregateCast: cast } = field;
    return {
      column: aggregate ? `${link.joinName}_aggregated_${index}` : name,
      name,
      aggregate: aggregate && { function: aggregate, cast },
      origin: { kind: "field", field } as const,
    };
  });
  return [...own, ...plan.children.flatMap((child) => columnsPassedThrough(plan, child))];
}

function columnsPassedThrough(plan: ReadPlan, child: ReadPlan): (PassedColumn & { origin: Origin })[] {
  if (child.link?.spread) {
    return columnsPassedBy(child).map((passedUp, index) => ({
      ...passedUp,
      column: `${plan.link?.joinName}_${child.link?.joinName}_${index}`,
      origin: { kind: "passed", child, column: passedUp.column },
    }));
  }
  if (isEmptyEmbed(child)) return [];
  const name = outputName(child);
  return [{ column: name, name, aggregate: null, origin: { kind: "embed", child } }];
}

/** The keys its rows would have, in the order of its select. */
function shownNames(plan: ReadPlan): string[] {
  const own = plan.select.map((field) => selectedName(field, true) ?? field.field.name);
  const embedded = plan.children.flatMap((child) => {
    if (child.link?.spread) return columnsPassedBy(child).map(({ name }) => name);
    return isEmptyEmbed(child) ? [] : [outputName(child)];
  });
  return [...own, ...embedded];
}

/** Aggregates the rows of a to-many spread into one row: an array per column, in row order. */
export function aggregateSpreadSql(plan: ReadPlan, rows: string): string {
  const passedUp = columnsPassedBy(plan);
  const arrays = passedUp.map(
    ({ column }, index) => `COALESCE(json_agg("c${index}"), '[]')::jsonb AS ${quoteIdentifier(column)}`,
  );
  const names = passedUp.map((_, index) => `"c${index}"`).join(", ");
  const alias = `AS "pgrst_rows"${names === "" ? "" : `(${names})`}`;
  return `SELECT ${[...arrays, `count(*) > 0 AS ${HAS_ROWS}`].join(", ")} FROM (${rows}) ${alias}`;
}

/** SQL that tells whether a joined to-many spread has rows. */
export function hasRowsSql(plan: ReadPlan): string {
  return `${quoteIdentifier(plan.link?.joinName ?? "")}.${HAS_ROWS}`;
}

/** The columns a spread adds to its parent's select; `grouped` means that the parent groups by it. */
export function shownColumns(child: ReadPlan): { sql: string; grouped: boolean }[] {
  const join = quoteIdentifier(child.link?.joinName ?? "");
  return columnsPassedBy(child).map(({ column, name, aggregate }) => {
    const source = `${join}.${quoteIdentifier(column)}`;
    const shown = aggregate ? castSql(`${aggregate.function}(${source})`, aggregate.cast) : source;
    return { sql: `${shown} AS ${quoteIdentifier(name)}`, grouped: aggregate === null };
  });
}
