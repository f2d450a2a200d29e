import type { AnswerMedia, Guard } from "../query/answer.ts";
import type { RowRange } from "../query/query-types.ts";
import type { Statement } from "../query/statement.ts";
import type { Action } from "../request/parse-request.ts";
import type { Routine } from "../schema-cache/types.ts";
import type { PlannedRead } from "./plan-read.ts";

/**
 * Input of the last stages: what to run and how to respond. Contains no values that differ between requests of the same
 * shape.
 */
export type DataPlan = {
  action: Extract<Action, { kind: "read" | "write" | "call" }>;
  statement: Statement;
  /** Gets the planner's row estimate, if requested. */
  estimate: Statement | null;
  readOnly: boolean;
  media: AnswerMedia;
  /** The range of the root's rows, for Content-Range. */
  range: RowRange;
  routine: Routine | null;
  /** A resolution preference applies only if there is a key to detect conflicts by. */
  hasConflictKey: boolean;
  legacyNames: PlannedRead["legacyNames"];
  guard: Guard | null;
  /** The transaction is rolled back. */
  undo: boolean;
};
