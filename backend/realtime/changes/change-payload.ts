import type { Change, RowText } from "../feed/change-feed.ts";
import type { ChangeSpec } from "./change-spec.ts";
import type { TableFacts } from "./table-facts.ts";
import { toValueJson } from "./value-json.ts";

const MAX_RECORD_LENGTH = 1_048_576;
/** From a row that is too large, values up to this length are still sent, so that clients can fetch the row by key. */
const SHORT_VALUE = 64;

/** Why a change is sent without its row, in the hosted service's wording. */
export const CHANGE_ERRORS = {
  unauthorized: "Error 401: Unauthorized",
  noKey: "Error 400: Bad Request, no primary key",
  failed: "Error 500: Internal Server Error, RLS policy evaluation failed",
  tooLarge: "Error 413: Payload Too Large",
} as const;

/**
 * The `data` of a `postgres_changes` message as JSON, with the columns that `role` may read and `select` includes. With
 * row-level security enabled, the old row contains only the key: who could see its other values can no longer be
 * determined.
 */
export function toChangeJson(
  change: Change,
  facts: TableFacts,
  role: string,
  select: ChangeSpec["select"],
): string {
  const readable = facts.readable.get(role) ?? new Set();
  const columns = facts.columns.filter(
    ({ name, isKey }) => readable.has(name) && (select === null || isKey || select.includes(name)),
  );
  const isTooLarge = sizeOf(change) > MAX_RECORD_LENGTH;
  const record = (row: RowText, keysOnly: boolean) => {
    const members = columns.flatMap(({ name, type, isKey }) => {
      const value = row[name];
      if (value === undefined || (keysOnly && !isKey)) return [];
      if (isTooLarge && (value?.length ?? 0) > SHORT_VALUE) return [];
      return [`${JSON.stringify(name)}:${toValueJson(type, value)}`];
    });
    return `{${members.join(",")}}`;
  };
  const parts = [
    headOf(change),
    `"columns":${JSON.stringify(columns.map(({ name, type }) => ({ name, type })))}`,
    ...(change.row ? [`"record":${record(wholeRow(change), false)}`] : []),
    ...(change.type === "INSERT"
      ? []
      : [`"old_record":${record(oldRowOf(change), facts.hasRls || change.oldRow === null)}`]),
    `"errors":${isTooLarge ? JSON.stringify([CHANGE_ERRORS.tooLarge]) : "null"}`,
  ];
  return `{${parts.join(",")}}`;
}

/** The same for a change whose row must not be sent. */
export function toErrorJson(change: Change, error: string): string {
  const rest = change.type === "DELETE" ? `"old_record":{}` : `"record":{}`;
  return `{${headOf(change)},"columns":[],${rest},"errors":${JSON.stringify([error])}}`;
}

function headOf({ schema, table, type, committedAt }: Change): string {
  const head = { schema, table, commit_timestamp: new Date(committedAt).toISOString(), type };
  return JSON.stringify(head).slice(1, -1);
}

/** The new row, with unchanged TOASTed values taken from the old row if the log has them there. */
export function wholeRow({ row, oldRow }: Change): RowText {
  if (!row || !oldRow) return row ?? {};
  const missing = Object.keys(row).filter((name) => row[name] === undefined && oldRow[name] !== undefined);
  if (missing.length === 0) return row;
  return { ...row, ...Object.fromEntries(missing.map((name) => [name, oldRow[name]])) };
}

/** An update that leaves the key unchanged has no old row in the log; the key is then taken from the new row. */
function oldRowOf({ row, oldRow }: Change): RowText {
  return oldRow ?? row ?? {};
}

/** Characters the change occupies in the log. */
export function sizeOf({ row, oldRow }: Change): number {
  let size = 0;
  for (const name in row) size += row[name]?.length ?? 0;
  for (const name in oldRow) size += oldRow[name]?.length ?? 0;
  return size;
}
