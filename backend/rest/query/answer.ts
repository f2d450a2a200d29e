import type { MediaHandler } from "../schema-cache/types.ts";

/** The form of the answer's body. */
export type AnswerMedia = {
  format: "json" | "single" | "csv" | "geojson" | "custom";
  /** The aggregate that makes a custom answer of the rows; null where a function's value is the answer as it is. */
  handler: MediaHandler | null;
  /** The answer is bytes, not text. */
  isBytes: boolean;
  stripNulls: boolean;
  contentType: string;
  /** The query plan is wanted instead of the rows. */
  explain: { format: "JSON" | "TEXT"; options: string[] } | null;
};

/** What one row of the answer is: a table's row, or the value of a function. */
export type RowKind = "row" | "single-row" | "scalar" | "scalars";

/** A number of rows that must hold, or the whole transaction is undone. */
export type Guard = { kind: "single" | "put" } | { kind: "max-affected"; limit: number };
