import type { Operand } from "../query/query-types.ts";

/** Collects parameters while the text is composed from strings; `$n` numbers follow the order of collecting. */
export class Parameters {
  readonly values: Operand[] = [];

  /** `$n` for a value from the query. */
  operand(operand: Operand): string {
    this.values.push(operand);
    return `$${this.values.length}`;
  }

  /** `$n` for a text that stays the same for this shape of request. */
  text(text: string): string {
    return this.operand({ text, slot: null, render: "plain" });
  }
}
