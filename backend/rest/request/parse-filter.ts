import { limits } from "../query/limits.ts";
import { findOperator, type OperatorOf } from "../query/operators.ts";
import {
  type Field,
  type Filter,
  isValues,
  type Operand,
  type OperandRender,
  type Operation,
  type Placed,
  type Quantifier,
} from "../query/query-types.ts";
import { takeField, takeIdentifier } from "./parse-field.ts";
import { parseWith, Scanner } from "./scanner.ts";
import { tooComplex } from "./too-complex.ts";

const operatorExpected = "operator (eq, gt, ...)";

/** Takes a filter's value: the rest of the parameter, or inside a logic tree up to the next comma or parenthesis. */
export type TakeValue = (scanner: Scanner, render: OperandRender) => Operand;

/** `path.to.column->key=not.op.value`. `slot` is the parameter's index in the query. */
export function parseFilter(key: string, value: string, slot: number): Placed<Filter> {
  const { path, field } = parseTreePath(key);
  const takeRest: TakeValue = (scanner, render) => ({ text: scanner.rest(), slot, render });
  const condition = parseWith("filter", value, (scanner) => {
    const taken = takeCondition(scanner, takeRest, slot);
    scanner.expectEnd();
    return taken;
  });
  return { path, value: { field, ...condition } };
}

/** `a.b.c->d`: the path [a, b] and the field c->d. */
export function parseTreePath(key: string): { path: string[]; field: Field } {
  return parseWith("tree path", key, (scanner) => {
    const path: string[] = [];
    for (;;) {
      const field = takeField(scanner);
      if (field.path.length > 0 || !scanner.take(".")) {
        scanner.expectEnd('letter, digit, "-", "->>", "->", delimiter (.) or end of input');
        return { path, field };
      }
      path.push(field.name);
    }
  });
}

/** Whether a parameter's value starts like a condition; a GET on a function also has plain arguments. */
export function isCondition(value: string): boolean {
  const scanner = new Scanner(value);
  scanner.take("not.");
  return takeOperatorHead(scanner) !== null;
}

/** `not.op.value`, without the column. */
export function takeCondition(
  scanner: Scanner,
  takeValue: TakeValue,
  slot: number | null = null,
): { negated: boolean; operation: Operation } {
  const start = scanner.position;
  const negated = scanner.take("not.");
  const head = takeOperatorHead(scanner);
  if (!head) scanner.fail(start === scanner.position ? `"not" or ${operatorExpected}` : operatorExpected);
  return { negated, operation: takeOperation(scanner, head, takeValue, slot) };
}

type Head =
  | { kind: "compare"; operator: OperatorOf<"compare">; quantifier: Quantifier | null; render: OperandRender }
  | { kind: "search"; operator: OperatorOf<"search"> }
  | { kind: "in" | "is" | "distinct" };

/**
 * Returns null without taking anything if there is no operator. The language and dot of a search are left to
 * `takeSearch`.
 */
function takeOperatorHead(scanner: Scanner): Head | null {
  const start = scanner.position;
  const operator = findOperator(scanner.match(/[a-z]+(?=[.(])/y) ?? "");
  if (operator?.kind === "search") return { kind: operator.kind, operator: operator.name };
  const isQuantified = operator?.kind === "compare" && operator.quantified;
  const quantifier = isQuantified ? scanner.match(/\((?:any|all)\)/y) : null;
  if (!operator || !scanner.take(".")) {
    scanner.position = start;
    return null;
  }
  if (operator.kind !== "compare") return { kind: operator.kind };
  return {
    kind: operator.kind,
    operator: operator.name,
    quantifier: quantifier === null ? null : (quantifier.slice(1, -1) as Quantifier),
    render: operator.takesPattern ? "pattern" : "plain",
  };
}

function takeOperation(scanner: Scanner, head: Head, takeValue: TakeValue, slot: number | null): Operation {
  switch (head.kind) {
    case "compare": {
      const { render, ...compared } = head;
      return { ...compared, value: takeValue(scanner, render) };
    }
    case "search":
      return takeSearch(scanner, head.operator, takeValue);
    case "in":
      return takeInList(scanner, slot);
    case "is":
      return { kind: "is", value: takeIsValue(scanner) };
    case "distinct":
      return { kind: "distinct", value: takeValue(scanner, "plain") };
  }
}

function takeInList(scanner: Scanner, slot: number | null): Operation {
  const start = scanner.position;
  const values = takeList(scanner);
  const text = scanner.text.slice(start, scanner.position);
  return {
    kind: "in",
    values: { text, slot, render: "list" },
    isEmpty: values.length === 1 && values[0] === "",
  };
}

/** `(a,"b,c",d)`. */
export function takeList(scanner: Scanner): string[] {
  scanner.skipBlanks();
  scanner.expect("(");
  scanner.skipBlanks();
  const values: string[] = [];
  do {
    if (values.length >= limits.listValues) throw tooComplex("values in one list", limits.listValues);
    values.push(takeListElement(scanner));
  } while (scanner.take(","));
  scanner.expect(")", '"," or ")"');
  scanner.skipBlanks();
  return values;
}

function takeListElement(scanner: Scanner): string {
  const quoted = tryQuoted(scanner, /(?=[,)]|$)/y);
  return quoted ?? scanner.match(/[^,)]+/y) ?? "";
}

/** A quoted value followed by `after`; otherwise takes nothing, since the quotes are then part of a bare value. */
export function tryQuoted(scanner: Scanner, after: RegExp): string | null {
  if (!scanner.startsWith('"')) return null;
  const closed = scanner.match(/"(?:[^"\\]|\\.)*"/sy);
  if (closed === null) return null;
  if (scanner.match(after) !== null) return unescapeQuoted(closed);
  scanner.position -= closed.length;
  return null;
}

function unescapeQuoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gsu, "$1");
}

function takeIsValue(scanner: Scanner) {
  const lower = scanner.text.slice(scanner.position, scanner.position + 8).toLowerCase();
  const value = isValues.find((candidate) => lower.startsWith(candidate));
  if (!value) scanner.fail("isVal: (null, not_null, true, false, unknown)");
  scanner.position += value.length;
  return value;
}

function takeSearch(scanner: Scanner, operator: OperatorOf<"search">, takeValue: TakeValue): Operation {
  let language: string | null = null;
  if (scanner.take("(")) {
    language = takeIdentifier(scanner, operatorExpected);
    scanner.expect(")");
  }
  scanner.expect(".", operatorExpected);
  return { kind: "search", operator, language, value: takeValue(scanner, "plain") };
}
