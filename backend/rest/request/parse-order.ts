import type { OrderTerm } from "../query/query-types.ts";
import { takeField, takeName } from "./parse-field.ts";
import { parseWith, type Scanner } from "./scanner.ts";

const afterTerm = 'delimiter (.), "," or end of input';

/** `order=name.desc.nullslast,clients(name)`. */
export function parseOrder(text: string): OrderTerm[] {
  return parseWith("order", text, (scanner) => {
    const terms: OrderTerm[] = [];
    do terms.push(takeTerm(scanner));
    while (scanner.take(","));
    scanner.expectEnd(afterTerm);
    return terms;
  });
}

function takeTerm(scanner: Scanner): OrderTerm {
  scanner.skipBlanks();
  const relation = takeRelation(scanner);
  const field = takeField(scanner);
  if (relation !== null) scanner.expect(")");
  const direction = takeWord(scanner, ["asc", "desc"]);
  const nulls = takeWord(scanner, ["nullsfirst", "nullslast"]);
  scanner.skipBlanks();
  if (!scanner.atEnd && !scanner.startsWith(",")) failAfter(scanner, direction, nulls);
  return {
    relation,
    field,
    direction: direction as OrderTerm["direction"],
    nulls: nulls === null ? null : nulls === "nullsfirst" ? "first" : "last",
  };
}

function takeRelation(scanner: Scanner): string | null {
  const start = scanner.position;
  const name = takeName(scanner);
  if (scanner.take("(")) return name;
  scanner.position = start;
  return null;
}

function takeWord(scanner: Scanner, words: string[]): string | null {
  const found = words.find((word) => scanner.startsWith(`.${word}`));
  if (found) scanner.position += found.length + 1;
  return found ?? null;
}

function failAfter(scanner: Scanner, direction: string | null, nulls: string | null): never {
  if (nulls !== null) scanner.fail('"," or end of input');
  if (!scanner.take("."))
    scanner.fail(direction === null ? `letter, digit, "-", "->>", "->", ${afterTerm}` : afterTerm);
  return scanner.fail(
    direction === null ? '"asc", "desc", "nullsfirst" or "nullslast"' : '"nullsfirst" or "nullslast"',
  );
}
