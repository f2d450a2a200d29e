import { arrayLiteral } from "#backend/postgres/quote.ts";
import { apiError } from "../api-error.ts";
import type { CallArgs, CallPayload, CallPlan } from "../query/call-plan.ts";
import type { ReadPlan } from "../query/read-plan.ts";
import type { RestRequest } from "../request/parse-request.ts";
import { decodeBody, readCallBody } from "../request/payload.ts";
import type { QualifiedName, Routine, RoutineParam, SchemaCache } from "../schema-cache/types.ts";
import { needsSelf } from "./expand-stars.ts";
import { findRoutine } from "./find-routine.ts";
import { returningColumns } from "./plan-write.ts";
import type { CallBody } from "./schema-errors.ts";

/** A function with its arguments; the columns to return are added once the read is planned. */
export type Call = Pick<CallPlan, "routine" | "args">;

/** @throws ApiError PGRST102, 128, 202, 203 */
export function planCall(request: RestRequest, name: string, byQuery: boolean, cache: SchemaCache): Call {
  const plan = byQuery ? byArguments(request, name, cache) : byBody(request, name, cache);
  const { handling, maxAffected } = request.preferences;
  if (handling === "strict" && maxAffected !== null && !plan.routine.returns.isSet)
    throw maxAffectedOnSingle();
  return plan;
}

/** Adds the columns that the response needs, if the function returns rows of a table. */
export function withReturning({ routine, args }: Call, read: ReadPlan): CallPlan {
  const { table } = read;
  const isOfTable = routine.returns.typeName !== null && table !== null;
  const isKnown = (name: string) => name === "*" || table?.columns.has(name) || table?.computed.has(name);
  const returning = isOfTable ? returningColumns(read, table).filter(isKnown) : ["*"];
  return { routine, args, returning, selfType: isOfTable && needsSelf(read) ? table : null };
}

function byArguments({ schema, query }: RestRequest, name: string, cache: SchemaCache): Call {
  const routine = findRoutine(cache, schema, name, distinctNames(query.args), "none");
  return { routine, args: valueArgs(routine, query.args) };
}

function byBody(request: RestRequest, name: string, cache: SchemaCache): Call {
  const payload = readCallBody(request.body, request.contentType, request.query.columns);
  const routine = findRoutine(cache, request.schema, name, argumentNames(payload), bodyKind(payload));
  const [only] = routine.params;
  if (routine.params.length === 1 && only?.name === "") return { routine, args: bodyArg(payload, only) };
  if (payload.kind === "form") return { routine, args: valueArgs(routine, payload.args) };
  const names = argumentNames(payload);
  const params = routine.params.filter((param) => names.includes(param.name));
  return { routine, args: { kind: "record", params, json: payload.kind === "raw" ? "[{}]" : payload.json } };
}

function bodyKind(payload: CallPayload): CallBody {
  return payload.kind === "raw" ? payload.type : payload.kind;
}

function argumentNames(payload: CallPayload): string[] {
  if (payload.kind === "json" || payload.kind === "csv") return payload.names;
  return payload.kind === "form" ? distinctNames(payload.args) : [];
}

function bodyArg(payload: CallPayload, param: RoutineParam): CallArgs {
  if (payload.kind === "json" || payload.kind === "csv") return { kind: "body", param, text: payload.text };
  if (payload.kind === "form")
    return { kind: "body", param, text: JSON.stringify(Object.fromEntries(payload.args)) };
  const isBytes = payload.type === "bytes";
  const text = isBytes ? `\\x${Buffer.from(payload.body).toString("hex")}` : decodeBody(payload.body);
  return { kind: "body", param, text };
}

function distinctNames(args: readonly [string, string][]): string[] {
  return [...new Set(args.map(([name]) => name))];
}

/** A repeated argument is an array for a variadic parameter; otherwise the last one wins. */
function valueArgs(routine: Routine, args: readonly [string, string][]): CallArgs {
  const values = routine.params.flatMap((param) => {
    const given = args.filter(([name]) => name === param.name).map(([, value]) => value);
    const last = given.at(-1);
    if (last === undefined) return [];
    return [{ param, text: param.variadic ? arrayLiteral(given) : last }];
  });
  return { kind: "values", values };
}

/** The table that a function's rows belong to, so that its relationships can be embedded. */
export function resultTable({ schema, name, returns }: Routine): QualifiedName {
  return { schema, name: returns.typeName?.name ?? name };
}

function maxAffectedOnSingle() {
  return apiError(
    400,
    "PGRST128",
    "Function must return SETOF or TABLE when max-affected preference is used with handling=strict",
  );
}
