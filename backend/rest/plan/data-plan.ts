import type { AnswerMedia, Guard } from "../query/answer.ts";
import type { RowRange } from "../query/query-types.ts";
import type { Statement } from "../query/statement.ts";
import type { Action } from "../request/parse-request.ts";
import type { Routine } from "../schema-cache/types.ts";
import type { PlannedRead } from "./plan-read.ts";

/** Everything the last stages need: what to run and how to answer. It holds no value that differs between alike requests. */
export type DataPlan = {
  action: Extract<Action, { kind: "read" | "write" | "call" }>;
  statement: Statement;
  /** Gets the number of rows from PostgreSQL's planner, when an estimate is wanted. */
  estimate: Statement | null;
  readOnly: boolean;
  media: AnswerMedia;
  /** The root's rows as the answer's Content-Range counts them. */
  range: RowRange;
  routine: Routine | null;
  /** A resolution preference counts only where there is a key to resolve on. */
  hasConflictKey: boolean;
  legacyNames: PlannedRead["legacyNames"];
  guard: Guard | null;
  /** The transaction is undone at its end. */
  undo: boolean;
};
