import type { Operand } from "./query-types.ts";

/** SQL whose parameters are `values` in order. The text depends on the request's shape only, never on its values. */
export type Statement = { text: string; values: Operand[] };
