import { quoteIdentifier, quoteName } from "#backend/postgres/quote.ts";
import type { OrderTerm, RowRange } from "../query/query-types.ts";
import {
  isEmptyEmbed,
  isGrouped,
  joinsRows,
  outputName,
  type ReadPlan,
  SELF,
  type SelectedField,
  spreadsMany,
  spreadsOne,
  wholeRange,
} from "../query/read-plan.ts";
import { columnSql, conditionSql, fieldSql, whereSql } from "./conditions.ts";
import { castSql, directionSql, selectedName } from "./expressions.ts";
import type { Parameters } from "./parameters.ts";
import {
  aggregateSpreadSql,
  columnsPassedByOne,
  hasRowsSql,
  type Origin,
  shownColumns,
} from "./spread-sql.ts";

/** The select statement for a resource and everything embedded in it. */
export function readSql(plan: ReadPlan, parameters: Parameters): string {
  const columns = spreadsOne(plan) ? passedUpSql(plan, parameters) : shownSql(plan, parameters);
  const conditions = [
    ...plan.where.map((tree) => conditionSql(tree, plan, parameters)),
    ...joinConditions(plan),
  ];
  return [
    `SELECT ${columns.map(({ sql }) => sql).join(", ")}`,
    fromSql(plan),
    plan.children.map((child) => joinSql(child, parameters)).join(""),
    whereSql(conditions),
    isGrouped(plan) ? groupSql(columns) : "",
    orderSql(plan, parameters),
    limitSql(plan.range, parameters),
  ].join("");
}

/** A selected column, and whether to group by it. */
type SelectedSql = { sql: string; grouped: boolean };

function shownSql(plan: ReadPlan, parameters: Parameters): SelectedSql[] {
  if (plan.select.length === 0 && plan.children.length === 0)
    return [{ sql: columnSql(plan.sqlName, "*"), grouped: false }];
  const own = plan.select.map((field) => ({
    sql: selectSql(field, plan, parameters),
    grouped: field.aggregate === null,
  }));
  return [...own, ...plan.children.flatMap(embeddedSql)];
}

function embeddedSql(child: ReadPlan): SelectedSql[] {
  if (child.link?.spread) return shownColumns(child);
  if (isEmptyEmbed(child)) return [];
  return [{ sql: `${embedValueSql(child)} AS ${quoteIdentifier(outputName(child))}`, grouped: true }];
}

/** Columns of a to-one spread's subquery, from which the parent builds the output. */
function passedUpSql(plan: ReadPlan, parameters: Parameters): SelectedSql[] {
  return columnsPassedByOne(plan).map(({ column, origin }) => ({
    sql: `${originSql(origin, plan, parameters)} AS ${quoteIdentifier(column)}`,
    grouped: false,
  }));
}

function originSql(origin: Origin, plan: ReadPlan, parameters: Parameters): string {
  switch (origin.kind) {
    case "field":
      return origin.field.aggregate === null
        ? expressionSql(origin.field, plan, parameters)
        : aggregatedSql(origin.field, plan, parameters);
    case "embed":
      return embedValueSql(origin.child);
    case "passed":
      return `${quoteIdentifier(origin.child.link?.joinName ?? "")}.${quoteIdentifier(origin.column)}`;
  }
}

/** The argument of an aggregate, which the grouping parent computes; for a whole row, TRUE. */
function aggregatedSql({ field, cast }: SelectedField, plan: ReadPlan, parameters: Parameters): string {
  return field.name === "*" ? "TRUE" : castSql(fieldSql(field, plan, parameters), cast);
}

export function fromSql(plan: ReadPlan): string {
  const relationship = plan.link?.relationship;
  const alias = plan.sqlName.schema === "" ? ` AS ${quoteName(plan.sqlName)}` : "";
  if (relationship?.kind === "computed") {
    // A row value is referenced by the table's bare name; the cast selects the right overload.
    const parent = plan.link?.parentSqlName ?? plan.sqlName;
    const row = plan.link?.parentIsSource ? columnSql(parent, SELF) : quoteIdentifier(parent.name);
    return ` FROM ${quoteName(relationship.function)}(${row}::${quoteName(relationship.table)})${alias}`;
  }
  const junction = relationship?.junction ? `, ${quoteName(relationship.junction.table)}` : "";
  return ` FROM ${quoteName(plan.from)}${alias}${junction}`;
}

export function joinConditions(plan: ReadPlan): string[] {
  const { link } = plan;
  if (link?.relationship.kind !== "key") return [];
  const { columns, junction } = link.relationship;
  const parent = link.parentSqlName;
  if (!junction)
    return columns.map(([own, foreign]) => `${columnSql(plan.sqlName, foreign)} = ${columnSql(parent, own)}`);
  return [
    ...junction.targetColumns.map(
      ([own, joined]) => `${columnSql(junction.table, joined)} = ${columnSql(plan.sqlName, own)}`,
    ),
    ...junction.sourceColumns.map(
      ([own, joined]) => `${columnSql(junction.table, joined)} = ${columnSql(parent, own)}`,
    ),
  ];
}

function selectSql(field: SelectedField, plan: ReadPlan, parameters: Parameters): string {
  const shown = selectedName(field) ?? (formatterOf(field, plan) === null ? null : field.field.name);
  return `${expressionSql(field, plan, parameters)}${shown === null ? "" : ` AS ${quoteIdentifier(shown)}`}`;
}

function expressionSql(selected: SelectedField, plan: ReadPlan, parameters: Parameters): string {
  const { field, cast, aggregate, aggregateCast } = selected;
  const format = formatterOf(selected, plan);
  const value = fieldSql(field, plan, parameters);
  const column = castSql(format === null ? value : formattedSql(value, format, plan), cast);
  if (aggregate === null) return column;
  const argument = field.name === "*" ? "*" : column;
  return castSql(`${aggregate}(${argument})`, aggregateCast);
}

// Grouping requires a comparable type, which json is not.
function formattedSql(value: string, format: string, plan: ReadPlan): string {
  const isCompared = plan.link?.spread || isGrouped(plan);
  return `${format}(${value})${isCompared ? "::jsonb" : ""}`;
}

/** The function that formats a column of a domain with a cast to json. */
function formatterOf({ field, aggregate }: SelectedField, { table }: ReadPlan): string | null {
  if (aggregate !== null || field.path.length > 0) return null;
  return table?.columns.get(field.name)?.representation?.toJson ?? null;
}

/** An embedded resource as one value: a row, or an array of rows. */
function embedValueSql(child: ReadPlan): string {
  const join = quoteIdentifier(child.link?.joinName ?? "");
  return joinsRows(child) ? `row_to_json(${join}.*)::jsonb` : `COALESCE(${join}."rows", '[]')`;
}

function joinSql(child: ReadPlan, parameters: Parameters): string {
  const { link } = child;
  if (!link) return "";
  const join = quoteIdentifier(link.joinName);
  const kind = link.join === "inner" ? "INNER" : "LEFT";
  const inner = readSql(child, parameters);
  if (spreadsMany(child)) {
    const condition = link.join === "inner" ? hasRowsSql(child) : "TRUE";
    return ` ${kind} JOIN LATERAL (${aggregateSpreadSql(child, inner)}) AS ${join} ON ${condition}`;
  }
  if (joinsRows(child)) return ` ${kind} JOIN LATERAL (${inner}) AS ${join} ON TRUE`;
  const condition = link.join === "inner" ? `${join}."rows" IS NOT NULL` : "TRUE";
  return ` ${kind} JOIN LATERAL (SELECT json_agg(${join})::jsonb AS "rows" FROM (${inner}) AS ${join}) AS ${join} ON ${condition}`;
}

// By position, since repeating a JSON path would use different parameters.
function groupSql(columns: SelectedSql[]): string {
  const positions = columns.flatMap(({ grouped }, index) => (grouped ? [index + 1] : []));
  return positions.length === 0 ? "" : ` GROUP BY ${positions.join(", ")}`;
}

function orderSql(plan: ReadPlan, parameters: Parameters): string {
  if (plan.order.length === 0) return "";
  const terms = plan.order.map((term) => `${orderFieldSql(term, plan, parameters)}${directionSql(term)}`);
  return ` ORDER BY ${terms.join(", ")}`;
}

function orderFieldSql({ relation, field }: OrderTerm, plan: ReadPlan, parameters: Parameters): string {
  if (relation === null) return fieldSql(field, plan, parameters);
  const child = plan.children.find((candidate) => outputName(candidate) === relation);
  return fieldSql(
    field,
    { sqlName: { schema: "", name: child?.link?.joinName ?? relation }, table: child?.table ?? null },
    parameters,
  );
}

function limitSql(range: RowRange, parameters: Parameters): string {
  if (wholeRange(range)) return "";
  const limit = range.limit === null ? "ALL" : parameters.text(String(range.limit));
  return ` LIMIT ${limit} OFFSET ${parameters.text(String(range.offset))}`;
}
