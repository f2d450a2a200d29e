import type { ReadPlan } from "../query/read-plan.ts";
import { conditionSql, type EmbedTest, whereSql } from "./conditions.ts";
import type { Parameters } from "./parameters.ts";
import { fromSql, joinConditions } from "./read-sql.ts";

/**
 * Selects one row per row the resource would have without limit and offset. Embedded resources matter only if they
 * restrict their parent: inner joins and null tests become `EXISTS`.
 */
export function countSql(plan: ReadPlan, parameters: Parameters): string {
  const embedTest: EmbedTest = (child, isNull) => `${isNull ? "NOT " : ""}${existsSql(child, parameters)}`;
  const conditions = [
    ...plan.where.map((tree) => conditionSql(tree, plan, parameters, embedTest)),
    ...joinConditions(plan),
    ...plan.children
      .filter((child) => child.link?.join === "inner")
      .map((child) => existsSql(child, parameters)),
  ];
  return `SELECT 1${fromSql(plan)}${whereSql(conditions)}`;
}

function existsSql(child: ReadPlan, parameters: Parameters): string {
  return `EXISTS (${countSql(child, parameters)})`;
}
