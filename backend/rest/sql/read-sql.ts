import { quoteIdentifier, quoteName } from "#backend/postgres/quote.ts";
import type { OrderTerm, RowRange } from "../query/query-types.ts";
import { outputName, type ReadPlan, type SelectedField, wholeRange } from "../query/read-plan.ts";
import { isToOne } from "../schema-cache/types.ts";
import { columnSql, conditionSql, fieldSql, whereSql } from "./conditions.ts";
import { castSql, directionSql, orderKey, selectedName } from "./expressions.ts";
import type { Parameters } from "./parameters.ts";
import { spreadAggregates, spreadJoinSql, spreadSelects } from "./spread-sql.ts";

/** The select statement for a resource and everything embedded in it. */
export function readSql(plan: ReadPlan, parameters: Parameters): string {
  const selects = [
    ...plan.select.map((field) => selectSql(field, plan, parameters)),
    ...plan.children.flatMap((child) => embedSelects(child)),
  ];
  if (plan.select.length === 0 && plan.children.length === 0) selects.push(columnSql(plan.sqlName, "*"));
  const spreadsMany = plan.link?.spread === true && !isToOne(plan.link.relationship);
  if (spreadsMany) selects.push(...orderKeySelects(plan, parameters));
  const conditions = [
    ...plan.where.map((tree) => conditionSql(tree, plan, parameters)),
    ...joinConditions(plan),
  ];
  return [
    `SELECT ${selects.join(", ")}`,
    fromSql(plan),
    plan.children.map((child) => joinSql(child, parameters)).join(""),
    whereSql(conditions),
    groupSql(plan, parameters),
    spreadsMany ? "" : orderSql(plan, parameters),
    limitSql(plan.range, parameters),
  ].join("");
}

export function fromSql(plan: ReadPlan): string {
  const relationship = plan.link?.relationship;
  const alias = plan.sqlName.schema === "" ? ` AS ${quoteName(plan.sqlName)}` : "";
  if (relationship?.kind === "computed") {
    // A row as a value goes by the table's bare name; the cast picks the right one of overloaded functions.
    const row = `${quoteIdentifier((plan.link?.parentSqlName ?? plan.sqlName).name)}::${quoteName(relationship.table)}`;
    return ` FROM ${quoteName(relationship.function)}(${row})${alias}`;
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
  const name = selectedName(field, plan.link?.spread);
  return `${expressionSql(field, plan, parameters)}${name === null ? "" : ` AS ${quoteIdentifier(name)}`}`;
}

function expressionSql(selected: SelectedField, plan: ReadPlan, parameters: Parameters): string {
  const { field, cast, aggregate, aggregateCast } = selected;
  // Hidden from the subquery of a to-one spread: the parent applies the aggregate to its own groups.
  if (aggregate !== null && plan.link?.spread) return columnOrRow(selected, plan, parameters);
  const column = castSql(fieldSql(field, plan, parameters), cast);
  if (aggregate === null) return column;
  const argument = field.name === "*" ? "*" : column;
  return castSql(`${aggregate}(${argument})`, aggregateCast);
}

function columnOrRow({ field, cast }: SelectedField, plan: ReadPlan, parameters: Parameters): string {
  if (field.name === "*") return quoteName({ schema: "", name: plan.sqlName.name });
  return castSql(fieldSql(field, plan, parameters), cast);
}

function embedSelects(child: ReadPlan): string[] {
  if (!child.link) return [];
  if (child.link.spread) return spreadSelects(child);
  if (isEmptyEmbed(child)) return [];
  const join = quoteIdentifier(child.link.joinName);
  const name = quoteIdentifier(outputName(child));
  if (isToOne(child.link.relationship)) return [`row_to_json(${join}.*)::jsonb AS ${name}`];
  return [`COALESCE(${join}."rows", '[]') AS ${name}`];
}

/** `rel()`: joined for its filters' sake, not shown. */
function isEmptyEmbed(plan: ReadPlan): boolean {
  return plan.select.length === 0 && plan.children.every(isEmptyEmbed);
}

function joinSql(child: ReadPlan, parameters: Parameters): string {
  const { link } = child;
  if (!link) return "";
  const join = quoteIdentifier(link.joinName);
  const kind = link.join === "inner" ? "INNER" : "LEFT";
  const inner = readSql(child, parameters);
  if (isToOne(link.relationship)) return ` ${kind} JOIN LATERAL (${inner}) AS ${join} ON TRUE`;
  const aggregates = link.spread ? spreadAggregates(child) : [];
  const rows = [`json_agg(${join})::jsonb AS "rows"`, ...aggregates].join(", ");
  const condition = link.join === "inner" ? `${join}."rows" IS NOT NULL` : "TRUE";
  return ` ${kind} JOIN LATERAL (SELECT ${rows} FROM (${inner}) AS ${join}) AS ${join} ON ${condition}`;
}

function groupSql(plan: ReadPlan, parameters: Parameters): string {
  const grouped =
    plan.select.some((field) => field.aggregate !== null) || plan.children.some(hasSpreadAggregate);
  if (!grouped || plan.link?.spread) return "";
  const terms = [
    ...plan.select
      .filter((field) => field.aggregate === null)
      .map((field) => groupTerm(field, plan, parameters)),
    ...plan.children.flatMap(groupTermsOfEmbed),
  ];
  return terms.length === 0 ? "" : ` GROUP BY ${terms.join(", ")}`;
}

function groupTerm(field: SelectedField, plan: ReadPlan, parameters: Parameters): string {
  const name = selectedName(field);
  return name === null ? fieldSql(field.field, plan, parameters) : quoteIdentifier(name);
}

function groupTermsOfEmbed(child: ReadPlan): string[] {
  if (!child.link?.spread) return isEmptyEmbed(child) ? [] : [quoteIdentifier(outputName(child))];
  return spreadJoinSql(child);
}

function hasSpreadAggregate(child: ReadPlan): boolean {
  if (!child.link?.spread) return false;
  return child.select.some((field) => field.aggregate !== null) || child.children.some(hasSpreadAggregate);
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

/** A spread to many is ordered where it is gathered, so its sort keys must be among the subquery's columns. */
function orderKeySelects(plan: ReadPlan, parameters: Parameters): string[] {
  return plan.order.map((term, index) => `${orderFieldSql(term, plan, parameters)} AS ${orderKey(index)}`);
}

function limitSql(range: RowRange, parameters: Parameters): string {
  if (wholeRange(range)) return "";
  const limit = range.limit === null ? "ALL" : parameters.text(String(range.limit));
  return ` LIMIT ${limit} OFFSET ${parameters.text(String(range.offset))}`;
}
