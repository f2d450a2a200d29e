import { takeList } from "../request/parse-filter.ts";
import type { Operand, OperandRender } from "../request/query-types.ts";
import { defaultLimits } from "../request/request-limits.ts";
import { parseWith } from "../request/scanner.ts";
import { arrayLiteral } from "./identifiers.ts";

/** SQL whose parameters are `values` in order. The text depends on the request's shape only, never on its values. */
export type Statement = { text: string; values: Operand[] };

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

/**
 * The text PostgreSQL gets for a value as it stands in the query.
 * @throws ApiError PGRST100 for a list that is none
 */
export function renderOperand(text: string, render: OperandRender): string {
  if (render === "plain") return text;
  if (render === "pattern") return text.replaceAll("*", "%");
  return parseWith("filter", text, (scanner) => {
    const values = takeList(scanner, defaultLimits);
    scanner.expectEnd();
    return arrayLiteral(values);
  });
}
