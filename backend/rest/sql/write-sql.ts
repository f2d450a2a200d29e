import { inChunks } from "#backend/memory/in-chunks.ts";
import { quoteIdentifier, quoteLiteral, quoteName } from "#backend/postgres/quote.ts";
import { SELF } from "../query/read-plan.ts";
import type { WritePlan } from "../query/write-plan.ts";
import type { Column } from "../schema-cache/types.ts";
import { columnSql, conditionSql, whereSql } from "./conditions.ts";
import type { Parameters } from "./parameters.ts";

const body = { schema: "", name: "pgrst_body" };

/** `insert`, `update` or `delete` with its returning list. */
export function writeSql(plan: WritePlan, parameters: Parameters): string {
  switch (plan.verb) {
    case "insert":
    case "upsert-one":
      return insertSql(plan, parameters);
    case "update":
      return updateSql(plan, parameters);
    case "delete":
      return `DELETE FROM ${quoteName(plan.table)}${conditionsSql(plan, parameters)}${returningSql(plan)}`;
  }
}

function insertSql(plan: WritePlan, parameters: Parameters): string {
  const names = plan.columns.map(({ name }) => quoteIdentifier(name));
  const target = names.length === 0 ? "" : ` (${names.join(", ")})`;
  const values = plan.columns.map(valueSql).join(", ");
  const source = `SELECT ${values} FROM ${bodyRowsSql(plan, parameters)}`;
  const conditions = plan.verb === "upsert-one" ? bodyConditionsSql(plan, parameters) : "";
  return `INSERT INTO ${quoteName(plan.table)}${target} ${source}${conditions}${conflictSql(plan)}${returningSql(plan)}`;
}

/** PUT's filters must match the body. */
function bodyConditionsSql(plan: WritePlan, parameters: Parameters): string {
  const scope = { sqlName: body, table: plan.table };
  return whereSql(plan.where.map((tree) => conditionSql(tree, scope, parameters)));
}

// Counted during execution: PostgreSQL does not tell inserted and updated rows apart afterwards.
const countUpdate =
  " WHERE set_config('pgrst.updated', (coalesce(nullif(current_setting('pgrst.updated', true), ''), '0')::integer + 1)::text, true) <> ''";

function conflictSql({ conflict, columns }: WritePlan): string {
  if (conflict === null) return "";
  const target = ` ON CONFLICT (${conflict.columns.map(quoteIdentifier).join(", ")})`;
  if (conflict.resolution === "ignore" || columns.length === 0) return `${target} DO NOTHING`;
  const sets = columns.map(({ name }) => `${quoteIdentifier(name)} = EXCLUDED.${quoteIdentifier(name)}`);
  return `${target} DO UPDATE SET ${sets.join(", ")}${countUpdate}`;
}

function updateSql(plan: WritePlan, parameters: Parameters): string {
  // Nothing to set: no row is updated, but the result keeps its columns.
  if (plan.columns.length === 0) {
    const columns = plan.returning.length === 0 ? "1" : returningList(plan);
    return `SELECT ${columns} FROM ${quoteName(plan.table)} WHERE false`;
  }
  const sets = plan.columns
    .map((column) => `${quoteIdentifier(column.name)} = ${valueSql(column)}`)
    .join(", ");
  const source = `FROM (SELECT ${quoteName(body)}.* FROM ${bodyRowsSql(plan, parameters)} LIMIT 1) AS ${quoteName(body)}`;
  return `UPDATE ${quoteName(plan.table)} SET ${sets} ${source}${conditionsSql(plan, parameters)}${returningSql(plan)}`;
}

/** A column's value in the body; values of a domain with a cast from json go through that cast's function. */
function valueSql({ name, representation }: Column): string {
  const value = columnSql(body, name);
  return representation?.fromJson ? `${representation.fromJson}(${value})` : value;
}

/** The type as which the body's JSON is read. */
function bodyType({ nominalType, representation }: Column): string {
  return representation?.fromJson ? "json" : nominalType;
}

function defaultSql({ defaultExpression, nominalType, representation }: Column): string {
  return representation?.fromJson && representation.toJson
    ? `${representation.toJson}((${defaultExpression})::${nominalType})`
    : `${defaultExpression}`;
}

function conditionsSql(plan: WritePlan, parameters: Parameters): string {
  const scope = { sqlName: plan.table, table: plan.table };
  return whereSql(plan.where.map((tree) => conditionSql(tree, scope, parameters)));
}

/** The body's rows as a table `pgrst_body` with the columns' types. */
function bodyRowsSql({ columns, payload, applyDefaults }: WritePlan, parameters: Parameters): string {
  const json = parameters.text(payload?.json ?? "[]");
  if (columns.length === 0) return `json_array_elements(${json}::json) AS ${quoteName(body)}`;
  const typed = columns.map((column) => `${quoteIdentifier(column.name)} ${bodyType(column)}`).join(", ");
  if (!applyDefaults) return `json_to_recordset(${json}::json) AS ${quoteName(body)}(${typed})`;
  const pairs = columns
    .filter(({ defaultExpression }) => defaultExpression !== null)
    .map((column) => `${quoteLiteral(column.name)}, ${defaultSql(column)}`);
  const defaults = inChunks(pairs, MOST_PAIRS).map((chunk) => `jsonb_build_object(${chunk.join(", ")}) || `);
  // Defaults are evaluated per row, so that a sequence gives each row its own number.
  const rows = `SELECT jsonb_agg(${defaults.join("")}elem) AS pgrst_filled FROM jsonb_array_elements(${json}::jsonb) elem`;
  return `(${rows}) filled_rows, jsonb_to_recordset(filled_rows.pgrst_filled) AS ${quoteName(body)}(${typed})`;
}

/** A function takes 100 arguments at most. */
const MOST_PAIRS = 50;

function returningSql(plan: WritePlan): string {
  return ` RETURNING ${plan.returning.length === 0 ? "1" : returningList(plan)}`;
}

function returningList({ table, returning, returnsSelf }: WritePlan): string {
  const self = `ROW(${columnSql(table, "*")})::${quoteName(table)} AS ${quoteIdentifier(SELF)}`;
  return [...returning.map((column) => columnSql(table, column)), ...(returnsSelf ? [self] : [])].join(", ");
}
