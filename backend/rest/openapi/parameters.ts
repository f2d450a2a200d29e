import type { Table } from "../schema-cache/types.ts";
import type { Parameter } from "./swagger-types.ts";

/** Shared parameters: the reserved ones, and for each table its body and a filter per column. */
export function sharedParameters(tables: readonly Table[]): Record<string, Parameter> {
  return { ...reserved, ...Object.assign({}, ...tables.map(tableParameters)) };
}

const returned = ["return=representation", "return=minimal", "return=none"];
const resolutions = ["resolution=ignore-duplicates", "resolution=merge-duplicates"];

const reserved: Record<string, Parameter> = {
  preferParams: prefer([]),
  preferReturn: prefer(returned),
  preferCount: prefer(["count=none"]),
  preferPost: prefer([...returned, ...resolutions]),
  select: inQuery("select", "Filtering Columns"),
  on_conflict: inQuery("on_conflict", "On Conflict"),
  order: inQuery("order", "Ordering"),
  range: { ...inQuery("Range", "Limiting and Pagination"), in: "header" },
  rangeUnit: { ...inQuery("Range-Unit", "Limiting and Pagination"), in: "header", default: "items" },
  offset: inQuery("offset", "Limiting and Pagination"),
  limit: inQuery("limit", "Limiting and Pagination"),
};

function inQuery(name: string, description: string | null): Parameter {
  return { name, ...(description !== null && { description }), required: false, in: "query", type: "string" };
}

function prefer(values: string[]): Parameter {
  const choices = values.length > 0 && { enum: values };
  return { ...inQuery("Prefer", "Preference"), in: "header", ...choices };
}

function tableParameters({ name, columns }: Table): Record<string, Parameter> {
  const body: Parameter = {
    name,
    description: name,
    required: false,
    in: "body",
    schema: { $ref: `#/definitions/${name}` },
  };
  const filters = [...columns.values()].map((column) => [
    rowFilterName(name, column.name),
    inQuery(column.name, column.comment),
  ]);
  return { [`body.${name}`]: body, ...Object.fromEntries(filters) };
}

/** Key of the parameter that filters rows of `table` by `column`. */
export function rowFilterName(table: string, column: string): string {
  return `rowFilter.${table}.${column}`;
}
