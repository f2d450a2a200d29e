import { quoteIdentifier, quoteName } from "#backend/postgres/quote.ts";
import { apiError } from "../api-error.ts";
import { operators } from "../query/operators.ts";
import type { Field, Filter, JsonStep, LogicTree, Operation } from "../query/query-types.ts";
import { joinsRows, outputName, type ReadPlan, spreadsMany } from "../query/read-plan.ts";
import type { Column, QualifiedName, Table } from "../schema-cache/types.ts";
import type { Parameters } from "./parameters.ts";
import { hasRowsSql } from "./spread-sql.ts";

/** The resource whose columns an expression refers to, and the resources embedded in it (for `rel=is.null`). */
export type Scope = {
  sqlName: QualifiedName;
  table: Table | null;
  children?: readonly ReadPlan[];
  name?: string;
};

/** Renders a null test on an embedded resource; a counting query has no joins and needs a different form. */
export type EmbedTest = (child: ReadPlan, isNull: boolean) => string;

export function conditionSql(
  tree: LogicTree,
  scope: Scope,
  parameters: Parameters,
  embedTest: EmbedTest = joinedEmbedTest,
): string {
  if (tree.kind === "filter") return filterSql(tree.filter, scope, parameters, embedTest);
  const parts = tree.children.map((child) => conditionSql(child, scope, parameters, embedTest));
  return `${tree.negated ? "NOT " : ""}(${parts.join(tree.operator === "and" ? " AND " : " OR ")})`;
}

/** ` WHERE …`, or nothing. */
export function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
}

function filterSql(filter: Filter, scope: Scope, parameters: Parameters, embedTest: EmbedTest): string {
  const embedded = findEmbedded(filter, scope);
  if (embedded) return embedTest(embedded, isNullTest(filter));
  const { field, negated, operation } = filter;
  const left =
    operation.kind === "search"
      ? searchedFieldSql(field, operation, scope, parameters)
      : fieldSql(field, scope, parameters);
  const column = field.path.length === 0 ? scope.table?.columns.get(field.name) : undefined;
  return `${negated ? "NOT " : ""}${left} ${operationSql(operation, column, parameters)}`;
}

function operationSql(operation: Operation, column: Column | undefined, parameters: Parameters): string {
  const parse = column?.representation?.fromText ?? null;
  switch (operation.kind) {
    case "compare": {
      const rule = operators[operation.operator];
      const parseValue = "takesPattern" in rule ? null : parse;
      const value = parameters.operand(operation.value);
      const right = operation.quantifier
        ? `${operation.quantifier.toUpperCase()} (${parsedListSql(value, parseValue)})`
        : parsedSql(value, parseValue);
      return `${rule.sql} ${right}`;
    }
    case "search":
      return `${operators[operation.operator].sql}(${languageSql(operation.language, parameters)}${parameters.operand(operation.value)})`;
    case "in":
      // One array parameter, so that the text is the same for lists of any length.
      return operation.isEmpty
        ? "= ANY ('{}')"
        : `= ANY (${parsedListSql(parameters.operand(operation.values), parse)})`;
    case "is":
      return `IS ${operation.value.toUpperCase().replace("_", " ")}`;
    case "distinct":
      return `IS DISTINCT FROM ${parsedSql(parameters.operand(operation.value), parse)}`;
  }
}

/** Values of a domain with a cast from text go through that cast's function. */
function parsedSql(value: string, parse: string | null): string {
  return parse === null ? value : `${parse}(${value}::text)`;
}

function parsedListSql(values: string, parse: string | null): string {
  return parse === null ? values : `ARRAY(SELECT ${parse}(value) FROM unnest(${values}::text[]) AS value)`;
}

// Text is converted to a tsvector; tsvector columns are searched directly.
function searchedFieldSql(
  field: Field,
  operation: Extract<Operation, { kind: "search" }>,
  scope: Scope,
  parameters: Parameters,
): string {
  const sql = fieldSql(field, scope, parameters);
  const type = scope.table?.columns.get(field.name)?.type ?? scope.table?.computed.get(field.name);
  if (field.path.length === 0 && type === "tsvector") return sql;
  return `to_tsvector(${languageSql(operation.language, parameters)}${sql})`;
}

function languageSql(language: string | null, parameters: Parameters): string {
  return language === null ? "" : `${parameters.text(language)}, `;
}

export function fieldSql(field: Field, scope: Scope, parameters: Parameters): string {
  const column = columnSql(scope.sqlName, field.name);
  if (field.path.length === 0) return column;
  const type = scope.table?.columns.get(field.name)?.type;
  const isJson = type === "json" || type === "jsonb";
  return `${isJson ? column : `to_jsonb(${column})`}${field.path.map((step) => stepSql(step, parameters)).join("")}`;
}

function stepSql({ arrow, key, isIndex }: JsonStep, parameters: Parameters): string {
  return `${arrow}${parameters.text(key)}${isIndex ? "::int" : ""}`;
}

export function columnSql(table: QualifiedName, column: string): string {
  return `${quoteName(table)}.${column === "*" ? "*" : quoteIdentifier(column)}`;
}

function findEmbedded({ field, operation }: Filter, scope: Scope): ReadPlan | null {
  if (field.path.length > 0) return null;
  const child = scope.children?.find((candidate) => outputName(candidate) === field.name);
  if (!child) return null;
  if (operation.kind === "is" && (operation.value === "null" || operation.value === "not_null")) return child;
  if (scope.table?.columns.has(field.name)) return null;
  throw apiError(
    400,
    "PGRST120",
    `Bad operator on the '${field.name}' embedded resource`,
    "Only is null or not is null filters are allowed on embedded resources",
  );
}

function isNullTest({ negated, operation }: Filter): boolean {
  return (operation.kind === "is" && operation.value === "null") !== negated;
}

const joinedEmbedTest: EmbedTest = (child, isNull) => {
  const { link } = child;
  if (!link) return "TRUE";
  if (spreadsMany(child)) return `${isNull ? "NOT " : ""}${hasRowsSql(child)}`;
  const join = quoteIdentifier(link.joinName);
  return `${joinsRows(child) ? join : `${join}."rows"`} IS ${isNull ? "NOT " : ""}DISTINCT FROM NULL`;
};
