import type { Operand } from "../query/query-types.ts";

/** Collects parameters while the SQL is being built; `$n` numbers follow the order of collection. */
export class Parameters {
  readonly values: Operand[] = [];

  /** `$n` for a value from the query. */
  operand(operand: Operand): string {
    this.values.push(operand);
    return `$${this.values.length}`;
  }

  /** `$n` for a text that is the same for all requests of this shape. */
  text(text: string): string {
    return this.operand({ text, slot: null, render: "plain" });
  }
}
