import { arrayLiteral } from "#backend/postgres/quote.ts";

/** One `column=operator.value` of a filter. */
export type Condition = {
  column: string;
  operator: Operator;
  negated: boolean;
  /** The operand as PostgreSQL text; an array literal for `in`. */
  value: string;
};

/** SQL for each operator, placed between a value and an operand of the column's type. */
export const OPERATORS = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
  isdistinct: "is distinct from",
  in: "= any",
  is: "is",
} as const;
export type Operator = keyof typeof OPERATORS;

/** Operands of `is`. */
const TRUTHS = ["null", "true", "false", "unknown"];

export class FilterError extends Error {
  override name = "FilterError";
}

/**
 * Parses `a=eq.1,b=not.in.(2,3)`: conditions joined by AND. Commas within parentheses or quotes belong to the value.
 * @throws FilterError if the syntax is invalid
 */
export function parseFilter(text: string): Condition[] {
  if (text.trim() === "") return [];
  return splitAtCommas(text.trim()).map(parseCondition);
}

function parseCondition(text: string): Condition {
  const [, column, negation, name, operand] = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(text) ?? [];
  if (column === undefined || name === undefined || operand === undefined || !Object.hasOwn(OPERATORS, name))
    throw new FilterError(`Error parsing \`filter\` params: ${text}`);
  const operator = name as Operator;
  return { column, operator, negated: negation !== undefined, value: parseOperand(operator, operand, text) };
}

function parseOperand(operator: Operator, operand: string, text: string): string {
  if (operator === "is") {
    const truth = operand.toLowerCase();
    if (!TRUTHS.includes(truth)) throw new FilterError(`Error parsing \`filter\` params: ${text}`);
    return truth;
  }
  if (operator !== "in") return unquote(operand);
  if (!/^\(.*\)$/s.test(operand)) throw new FilterError(`Error parsing \`filter\` params: ${text}`);
  const inside = operand.slice(1, -1);
  return arrayLiteral(inside === "" ? [] : splitAtCommas(inside).map(unquote));
}

function unquote(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, "$1") : value;
}

function splitAtCommas(text: string): string[] {
  const parts = [""];
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quoted && character === "\\") {
      parts.push(`${parts.pop()}${character}${text[++at] ?? ""}`);
      continue;
    }
    if (character === '"' && (quoted || at === 0 || ".(,".includes(text[at - 1] as string))) quoted = !quoted;
    if (!quoted && character === "(") depth++;
    if (!quoted && character === ")") depth = Math.max(0, depth - 1);
    if (character === "," && depth === 0 && !quoted) parts.push("");
    else parts.push(parts.pop() + character);
  }
  return parts;
}
