import type { Routine, RoutineParam, Table } from "../schema-cache/types.ts";
import { itemType, swaggerFormat, swaggerType, typeSchema } from "./column-types.ts";
import { rowFilterName } from "./parameters.ts";
import {
  type Operation,
  type Parameter,
  type PathItem,
  parameterReference,
  type Schema,
  splitComment,
} from "./swagger-types.ts";

const singular = ["application/vnd.pgrst.object+json;nulls=stripped", "application/vnd.pgrst.object+json"];
export const jsonTypes = ["application/json", ...singular];

export const rootPath: PathItem = {
  get: {
    tags: ["Introspection"],
    summary: "OpenAPI description (this document)",
    produces: ["application/openapi+json", "application/json"],
    responses: { 200: { description: "OK" } },
  },
};

/** Operations of a table or view; writes only if some rows can be written. */
export function tablePath(table: Table): PathItem {
  const { name } = table;
  const about = { tags: [name], ...splitComment(table.comment) };
  const filters = [...table.columns.keys()].map((column) => rowFilterName(name, column));
  const operation = (parameters: string[], responses: Operation["responses"]): Operation => ({
    ...about,
    parameters: parameters.map(parameterReference),
    responses,
  });
  const rows: Schema = { type: "array", items: { $ref: `#/definitions/${name}` } };
  const get = operation(
    [...filters, "select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"],
    {
      200: { description: "OK", schema: rows },
      206: { description: "Partial Content" },
    },
  );
  if (!(table.insertable || table.updatable || table.deletable)) return { get };
  return {
    get,
    post: operation([`body.${name}`, "select", "preferPost"], { 201: { description: "Created" } }),
    patch: operation([...filters, `body.${name}`, "preferReturn"], { 204: { description: "No Content" } }),
    delete: operation([...filters, "preferReturn"], { 204: { description: "No Content" } }),
  };
}

/** Functions are called by POST; non-volatile ones also by GET. */
export function routinePath(routine: Routine): PathItem {
  const about: Operation = {
    tags: [`(rpc) ${routine.name}`],
    ...splitComment(routine.comment),
    produces: jsonTypes,
    responses: { 200: { description: "OK" } },
  };
  const post = { ...about, parameters: [argumentsBody(routine), parameterReference("preferParams")] };
  if (routine.volatility === "volatile") return { post };
  return { get: { ...about, parameters: routine.params.map(argumentInQuery) }, post };
}

function argumentsBody({ comment, params }: Routine): Parameter {
  const required = params.filter((param) => param.required).map((param) => param.name);
  const schema: Schema = {
    type: "object",
    ...(comment !== null && { description: comment }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(params.map((param) => [param.name, typeSchema(param.type)])),
  };
  return { name: "args", in: "body", required: true, schema };
}

function argumentInQuery({ name, type, required, variadic }: RoutineParam): Parameter {
  if (variadic) {
    const items = { ...itemType(type), format: swaggerFormat(type.slice(0, -2)) };
    return { name, in: "query", required, type: "array", collectionFormat: "multi", items };
  }
  // In a query, arrays are written as text, `{1,2}`; values without a type are strings, too.
  const scalar = swaggerType(type) ?? "string";
  const format = swaggerFormat(type);
  return { name, in: "query", required, type: scalar === "array" ? "string" : scalar, format };
}
