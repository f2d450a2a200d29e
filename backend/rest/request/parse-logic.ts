import { limits } from "../query/limits.ts";
import type { LogicTree, Placed } from "../query/query-types.ts";
import { takeField } from "./parse-field.ts";
import { type TakeValue, takeCondition, tryQuoted } from "./parse-filter.ts";
import { parseWith, type Scanner } from "./scanner.ts";
import { tooComplex } from "./too-complex.ts";

const TREE = "field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)";

/** Counts the conditions of one request, in filters and logic trees. */
export type ConditionCounter = { conditions: number };

export function countCondition(counter: ConditionCounter): void {
  if (++counter.conditions > limits.filters) throw tooComplex("conditions", limits.filters);
}

/** `and=(…)`, `rel.or=(…)`, `not.and=(…)`: the key ends with the operator; the names before it are the path. */
export function parseLogic(key: string, value: string, counter: ConditionCounter): Placed<LogicTree> {
  const { path, operator } = parseLogicPath(key);
  const tree = parseWith(
    "logic tree",
    `${operator}${value}`,
    (scanner) => {
      const taken = takeTree(scanner, counter, 0);
      while (scanner.take(")"));
      scanner.expectEnd('"," or ")" or end of input');
      return taken;
    },
    value,
  );
  return { path, value: tree };
}

function parseLogicPath(key: string): { path: string[]; operator: string } {
  const words = parseWith("logic path", key, (scanner) => {
    const names: string[] = [];
    do names.push(takeField(scanner).name);
    while (scanner.take("."));
    scanner.expectEnd();
    return names;
  });
  const last = words.pop() ?? "";
  if (words.at(-1) !== "not") return { path: words, operator: last };
  words.pop();
  return { path: words, operator: `not.${last}` };
}

function takeTree(scanner: Scanner, counter: ConditionCounter, depth: number): LogicTree {
  if (depth > limits.logicDepth) throw tooComplex("and/or are nested", limits.logicDepth);
  scanner.skipBlanks();
  const group = takeGroupHead(scanner);
  if (!group) {
    if (!scanner.startsWith('"') && scanner.match(/(?=[\p{L}\p{Nd}_$*])/uy) === null) scanner.fail(TREE);
    return takeConditionLeaf(scanner, counter);
  }
  const children: LogicTree[] = [];
  do children.push(takeTree(scanner, counter, depth + 1));
  while (scanner.take(","));
  scanner.expect(")", '"," or ")"');
  scanner.skipBlanks();
  return { kind: "group", ...group, children };
}

function takeGroupHead(scanner: Scanner): { negated: boolean; operator: "and" | "or" } | null {
  const head = scanner.match(/(?:not\.)?(?:and|or)[ \t]*\(/y);
  if (head === null) return null;
  return { negated: head.startsWith("not."), operator: head.includes("and") ? "and" : "or" };
}

function takeConditionLeaf(scanner: Scanner, counter: ConditionCounter): LogicTree {
  countCondition(counter);
  const field = takeField(scanner);
  scanner.expect(".", "delimiter (.)");
  const condition = takeCondition(scanner, takeLogicValue);
  scanner.skipBlanks();
  return { kind: "filter", filter: { field, ...condition } };
}

// An array literal, a quoted value, or everything up to the next comma or closing parenthesis.
const takeLogicValue: TakeValue = (scanner, render) => {
  const text =
    scanner.match(/\{[^{}]*\}(?=[,)])/y) ?? tryQuoted(scanner, /(?=[,)])/y) ?? scanner.match(/[^,)]+/y) ?? "";
  return { text, slot: null, render };
};
