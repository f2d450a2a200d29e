import type { Column, Table } from "../schema-cache/types.ts";
import type { LogicTree } from "./query-types.ts";

export type WriteVerb = "insert" | "upsert-one" | "update" | "delete";

/** The body of a write: its rows as a JSON array text, and the columns they set. */
export type RowsPayload = { json: string; columns: string[] };

export type WritePlan = {
  verb: WriteVerb;
  table: Table;
  /** Columns to set, in the body's order. */
  columns: Column[];
  payload: RowsPayload | null;
  /** Missing keys get the column's default instead of null. */
  applyDefaults: boolean;
  conflict: { resolution: "merge" | "ignore"; columns: readonly string[] } | null;
  where: LogicTree[];
  /** Columns to return; empty if only the row count is needed. */
  returning: string[];
  /** Also return each row as one value. */
  returnsSelf: boolean;
};
