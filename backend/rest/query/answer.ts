import type { MediaHandler } from "../schema-cache/types.ts";

/** The format of the response body. */
export type AnswerMedia = {
  format: "json" | "single" | "csv" | "geojson" | "custom";
  /** The aggregate that renders the rows in a custom format; null if a function's value is the response itself. */
  handler: MediaHandler | null;
  /** The response is binary, not text. */
  isBytes: boolean;
  stripNulls: boolean;
  contentType: string;
  /** The client requested the query plan instead of the rows. */
  explain: { format: "JSON" | "TEXT"; options: string[] } | null;
};

/** What a row of the response is: a table's row, or a function's value. */
export type RowKind = "row" | "single-row" | "scalar" | "scalars";

/** A row count that must hold, or the transaction is rolled back. */
export type Guard = { kind: "single" | "put" } | { kind: "max-affected"; limit: number };
