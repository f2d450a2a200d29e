import { createHash } from "node:crypto";
import type { ChangeRequest } from "../join-config.ts";
import { type Condition, FilterError, parseFilter } from "./change-filter.ts";

/** What a `postgres_changes` listener wants to hear of; equal wishes are one object's worth. */
export type ChangeSpec = {
  /** Equal for equal wishes, on every process; what the client knows it by. */
  id: number;
  event: "INSERT" | "UPDATE" | "DELETE" | "*";
  /** `*` for all of them, in `table` too. */
  schema: string;
  table: string;
  conditions: Condition[];
  /** Columns beside the key; null for all. */
  select: string[] | null;
};

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;
const MOST_CONDITIONS = 20;

/** The id is in the reply to the join even where the rest is refused later. */
export function idOfRequest(request: ChangeRequest): number {
  const { event, schema, table, filter, select } = request;
  const digest = createHash("sha1")
    .update(JSON.stringify([event, schema, table, filter, select]))
    .digest();
  return digest.readUIntBE(0, 6);
}

/** @throws FilterError with the sentence for the client */
export function readChangeSpec(request: ChangeRequest): ChangeSpec {
  const { schema, table, filter, select } = request;
  if (typeof schema !== "string" && typeof table !== "string")
    throw new FilterError(
      "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to",
    );
  const spec = {
    id: idOfRequest(request),
    event: eventOf(request.event),
    schema: typeof schema === "string" ? schema : "public",
    table: typeof table === "string" ? table : "*",
    conditions: typeof filter === "string" ? parseFilter(filter) : [],
    select: readSelect(select),
  };
  const isWide = spec.schema === "*" || spec.table === "*";
  if (isWide && spec.conditions.length > 0)
    throw new FilterError("Error parsing `filter` params: a filter needs a schema and a table");
  if (isWide && spec.select)
    throw new FilterError("Column selection is not supported for wildcard subscriptions");
  if (spec.conditions.length > MOST_CONDITIONS)
    throw new FilterError(`Error parsing \`filter\` params: more than ${MOST_CONDITIONS} conditions`);
  return spec;
}

/** How the service names a wish in its messages. */
export function describeSpec({ event, schema, table, conditions }: ChangeSpec): string {
  const filters = conditions.map(({ column, operator, value }) => `${column} ${operator} ${value}`);
  return `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(", ")}]]`;
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
