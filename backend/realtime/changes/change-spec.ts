import { hash } from "node:crypto";
import type { ChangeRequest } from "../protocol/join-config.ts";
import { type Condition, FilterError, parseFilter } from "./change-filter.ts";

/** A `postgres_changes` subscription as requested. */
export type ChangeSpec = {
  /** A hash of the request, the same in every process; clients identify the subscription by it. */
  id: number;
  event: "INSERT" | "UPDATE" | "DELETE" | "*";
  /** `*` for all; the same goes for `table`. */
  schema: string;
  table: string;
  conditions: Condition[];
  /** Columns to send in addition to the key; null for all. */
  select: string[] | null;
  /** Whether each change is sent as an event named by its type, as version 1 of the client expects it. */
  isTopic: boolean;
};

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;
const MAX_CONDITIONS = 20;
const MAX_FILTER_LENGTH = 10_000;

/** Computed separately from the spec: the join reply contains the id even if the subscription is refused later. */
export function idOfRequest(request: ChangeRequest): number {
  const { event, schema, table, filter, select, isTopic } = request;
  const asked = JSON.stringify([event, schema, table, filter, select, ...(isTopic ? [isTopic] : [])]);
  return hash("sha1", asked, "buffer").readUIntBE(0, 6);
}

/** @throws FilterError with the message for the client */
export function readChangeSpec(request: ChangeRequest): ChangeSpec {
  const { schema, table, filter, select } = request;
  if (typeof schema !== "string" && typeof table !== "string")
    throw new FilterError(
      "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to",
    );
  // Without it, the client would get every row.
  if (typeof (filter ?? "") !== "string")
    throw new FilterError("Error parsing `filter` params: the filter is no text");
  if (typeof filter === "string" && filter.length > MAX_FILTER_LENGTH)
    throw new FilterError(
      `Error parsing \`filter\` params: the filter is longer than ${MAX_FILTER_LENGTH} characters`,
    );
  const spec = {
    id: idOfRequest(request),
    event: eventOf(request.event),
    schema: typeof schema === "string" ? schema : "public",
    table: typeof table === "string" ? table : "*",
    conditions: typeof filter === "string" ? parseFilter(filter) : [],
    select: readSelect(select),
    isTopic: request.isTopic === true,
  };
  const isWide = spec.schema === "*" || spec.table === "*";
  if (isWide && spec.conditions.length > 0)
    throw new FilterError("Error parsing `filter` params: a filter needs a schema and a table");
  if (isWide && spec.select)
    throw new FilterError("Column selection is not supported for wildcard subscriptions");
  if (spec.conditions.length > MAX_CONDITIONS)
    throw new FilterError(`Error parsing \`filter\` params: more than ${MAX_CONDITIONS} conditions`);
  return spec;
}

/** The refusal message, in the hosted service's wording. */
export function refusal({ event, schema, table, conditions }: ChangeSpec, reason: string): string {
  const filters = conditions.map(({ column, operator, value }) => `${column} ${operator} ${value}`);
  const subscription = `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(", ")}]]`;
  return `Unable to subscribe to changes with given parameters. ${reason}: ${subscription}`;
}

function eventOf(event: unknown): ChangeSpec["event"] {
  const name = typeof event === "string" ? event.toUpperCase() : "*";
  return EVENTS.find((known) => known === name) ?? "*";
}

function readSelect(select: unknown): string[] | null {
  if (!Array.isArray(select)) return null;
  const names = select.filter((name) => typeof name === "string");
  return names.length > 0 ? names : null;
}
