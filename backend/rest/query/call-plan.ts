import type { QualifiedName, Routine, RoutineParam } from "../schema-cache/types.ts";

/** The body of a call: named arguments, or one raw value for a single unnamed parameter. */
export type CallPayload =
  | { kind: "json"; text: string; json: string; names: string[] }
  | { kind: "csv"; text: string; json: string; names: string[] }
  | { kind: "form"; args: [name: string, value: string][] }
  | { kind: "raw"; type: "text" | "xml" | "bytes"; body: Uint8Array };

export type CallPlan = {
  routine: Routine;
  args: CallArgs;
  /** Columns that the response needs, if the function returns rows of a table; otherwise all. */
  returning: string[];
  /** The table whose row type each result is also returned as, in one value; null if not needed. */
  selfType: QualifiedName | null;
};

export type CallArgs =
  /** Values as text, cast to the parameter's type. */
  | { kind: "values"; values: { param: RoutineParam; text: string }[] }
  /** A JSON array of one object, whose keys are the parameters. */
  | { kind: "record"; params: RoutineParam[]; json: string }
  /** The whole body for the only, unnamed parameter. */
  | { kind: "body"; param: RoutineParam; text: string };
