import type { Operand } from "./query-types.ts";

/** SQL with parameters `values`, in order. The text depends only on the request's shape, never on its values. */
export type Statement = { text: string; values: Operand[] };
