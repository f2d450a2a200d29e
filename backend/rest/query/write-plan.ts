import type { Column, Table } from "../schema-cache/types.ts";
import type { LogicTree } from "./query-types.ts";

export type WriteVerb = "insert" | "upsert-one" | "update" | "delete";

/** The body of a write: its rows as a JSON array text, and the columns they set. */
export type RowsPayload = { json: string; columns: string[] };

export type WritePlan = {
  verb: WriteVerb;
  table: Table;
  /** Columns set, in the body's order. */
  columns: Column[];
  payload: RowsPayload | null;
  /** Missing keys take the column's default instead of null. */
  applyDefaults: boolean;
  conflict: { resolution: "merge" | "ignore"; columns: readonly string[] } | null;
  where: LogicTree[];
  /** Columns to return; empty when only the number of rows counts. */
  returning: string[];
  /** Each row is returned as one value too. */
  returnsSelf: boolean;
};
