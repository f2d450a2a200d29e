import { quoteIdentifier } from "#backend/postgres/quote.ts";
import { outputName, type ReadPlan, type SelectedField } from "../query/read-plan.ts";
import { isToOne } from "../schema-cache/types.ts";
import { castSql, directionSql, orderKey, selectedName } from "./expressions.ts";

/** `...rel(a,b)`: the columns of an embedded resource stand in its parent's row. */
export function spreadSelects(child: ReadPlan): string[] {
  if (!child.link) return [];
  const join = quoteIdentifier(child.link.joinName);
  if (!isToOne(child.link.relationship))
    return manyColumns(child).map((column) => `${join}.${quoteIdentifier(column)}`);
  return spreadColumns(child).map(({ column, selected }) => {
    const source = column === "*" ? `${join}.*` : `${join}.${quoteIdentifier(column)}`;
    if (!selected?.aggregate) return source;
    const alias = selected.alias ?? selected.aggregate;
    return `${castSql(`${selected.aggregate}(${source})`, selected.aggregateCast)} AS ${quoteIdentifier(alias)}`;
  });
}

/** What a grouped parent groups by: the spread columns that are no aggregates. */
export function spreadJoinSql(child: ReadPlan): string[] {
  if (!child.link) return [];
  const join = quoteIdentifier(child.link.joinName);
  return spreadColumns(child)
    .filter(({ column, selected }) => !selected?.aggregate && column !== "*")
    .map(({ column }) => `${join}.${quoteIdentifier(column)}`);
}

type SpreadColumn = { column: string; selected: SelectedField | null };

function spreadColumns(child: ReadPlan): SpreadColumn[] {
  const own = child.select.map((selected) => ({
    column: selectedName(selected, true) ?? selected.field.name,
    selected,
  }));
  const nested = child.children.flatMap((grandchild): SpreadColumn[] =>
    grandchild.link?.spread
      ? spreadColumns(grandchild)
      : [{ column: outputName(grandchild), selected: null }],
  );
  return [...own, ...nested];
}

/** A to-many spread gives an array for each column; `*` is written out, for each needs its own array. */
function manyColumns(child: ReadPlan): string[] {
  return spreadColumns(child).flatMap(({ column }) =>
    column === "*" ? [...(child.table?.columns.keys() ?? [])] : [column],
  );
}

export function spreadAggregates(child: ReadPlan): string[] {
  if (!child.link) return [];
  const join = quoteIdentifier(child.link.joinName);
  const keys = child.order.map((term, index) => `${join}.${orderKey(index)}${directionSql(term)}`);
  const order = keys.length === 0 ? "" : ` ORDER BY ${keys.join(", ")}`;
  return manyColumns(child).map((column) => {
    const name = quoteIdentifier(column);
    return `COALESCE(json_agg(${join}.${name}${order}), '[]')::jsonb AS ${name}`;
  });
}
