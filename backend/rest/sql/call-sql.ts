import { quoteIdentifier, quoteName } from "#backend/postgres/quote.ts";
import type { RowKind } from "../query/answer.ts";
import type { CallPlan } from "../query/call-plan.ts";
import { SELF } from "../query/read-plan.ts";
import type { Routine, RoutineParam } from "../schema-cache/types.ts";
import { columnSql } from "./conditions.ts";
import type { Parameters } from "./parameters.ts";

/** The kind of rows this function returns. */
export function rowKindOf({ returns }: Routine): RowKind {
  if (returns.kind === "composite") return returns.isSet ? "row" : "single-row";
  return returns.isSet ? "scalars" : "scalar";
}

/** Selects the function's rows; a scalar's column is `pgrst_scalar`. */
export function callSql(plan: CallPlan, parameters: Parameters): string {
  const { from, args } = argumentsSql(plan, parameters);
  const call = `${quoteName(plan.routine)}(${args})`;
  const rows = plan.routine.returns.kind === "composite" ? call : `(SELECT ${call} AS pgrst_scalar)`;
  return `SELECT ${returningSql(plan)} FROM ${from === "" ? "" : `${from}, LATERAL `}${rows} pgrst_call`;
}

const result = { schema: "", name: "pgrst_call" };

function returningSql({ returning, selfType }: CallPlan): string {
  const columns = returning.map((column) => columnSql(result, column));
  if (selfType) columns.push(`ROW(pgrst_call.*)::${quoteName(selfType)} AS ${quoteIdentifier(SELF)}`);
  return columns.join(", ");
}

function argumentsSql({ args }: CallPlan, parameters: Parameters): { from: string; args: string } {
  switch (args.kind) {
    case "body":
      return { from: "", args: `${parameters.text(args.text)}::${args.param.type}` };
    case "values": {
      const list = args.values.map(({ param, text }) =>
        namedSql(param, `${parameters.text(text)}::${param.wholeType}`),
      );
      return { from: "", args: list.join(", ") };
    }
    case "record": {
      if (args.params.length === 0) return { from: "", args: "" };
      const typed = args.params
        .map((param) => `${quoteIdentifier(param.name)} ${param.wholeType}`)
        .join(", ");
      const json = parameters.text(args.json);
      return {
        from: `(SELECT * FROM json_to_recordset(${json}::json) AS arguments(${typed}) LIMIT 1) pgrst_body`,
        args: args.params
          .map((param) => namedSql(param, `pgrst_body.${quoteIdentifier(param.name)}`))
          .join(", "),
      };
    }
  }
}

function namedSql({ name, variadic }: RoutineParam, value: string): string {
  return `${variadic ? "VARIADIC " : ""}${quoteIdentifier(name)} := ${value}`;
}
