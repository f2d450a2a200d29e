import { limits } from "../query/limits.ts";
import { aggregates, plainField, type SelectItem } from "../query/query-types.ts";
import { takeField, takeIdentifier, takeName } from "./parse-field.ts";
import { parseWith, type Scanner } from "./scanner.ts";
import { tooComplex } from "./too-complex.ts";

const afterField = 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input';

const ITEM = '"...", field name (* or [a..z0..9_$]), "*" or "count()"';

/** `select=…`: fields, JSON paths, casts, aggregates, embedded and spread resources. */
export function parseSelect(text: string): SelectItem[] {
  const counter = { items: 0, embeds: 0 };
  // Anything after a complete list, such as an extra parenthesis, is ignored.
  return parseWith("select parameter", text, (scanner) => takeItems(scanner, counter, 0));
}

type Counter = { items: number; embeds: number };

function takeItems(scanner: Scanner, counter: Counter, depth: number): SelectItem[] {
  if (depth > limits.embedDepth) throw tooComplex("embedded resources are nested", limits.embedDepth);
  const items: SelectItem[] = [];
  scanner.skipBlanks();
  if (scanner.atEnd || scanner.startsWith(")")) return items;
  do {
    if (++counter.items > limits.selectItems) throw tooComplex("select has items", limits.selectItems);
    items.push(takeItem(scanner, counter, depth));
    scanner.skipBlanks();
  } while (scanner.take(","));
  return items;
}

function startsItem(scanner: Scanner): boolean {
  return scanner.startsWith("...") || scanner.match(/(?=["*\p{L}\p{Nd}_$])/uy) !== null;
}

function takeItem(scanner: Scanner, counter: Counter, depth: number): SelectItem {
  scanner.skipBlanks();
  if (!startsItem(scanner)) scanner.fail(ITEM);
  const embed = takeEmbedHead(scanner);
  if (!embed) return takeFieldItem(scanner);
  if (++counter.embeds > limits.embeds) throw tooComplex("select has embedded resources", limits.embeds);
  scanner.expect("(");
  const items = takeItems(scanner, counter, depth + 1);
  scanner.expect(")", '",", ")" or field');
  return { ...embed, items };
}

type EmbedHead = Omit<Extract<SelectItem, { kind: "embed" }>, "items">;

/** The part before "(": null (without taking anything) if this item is a field. */
function takeEmbedHead(scanner: Scanner): EmbedHead | null {
  const spread = scanner.take("...");
  if (scanner.startsWith("*")) return null;
  const start = scanner.position;
  const alias = spread ? null : takeAlias(scanner);
  const name = takeName(scanner);
  const params = takeEmbedParams(scanner);
  scanner.skipBlanks();
  if (!scanner.startsWith("(") || (name === "count" && !spread)) {
    if (spread) scanner.fail('"("');
    if (params.given) failAtHint(scanner, start);
    scanner.position = start;
    return null;
  }
  return { kind: "embed", spread, name, alias, hint: params.hint, join: params.join };
}

// `name!hint` without parentheses: the exclamation mark is the first character that cannot be part of a field.
function failAtHint(scanner: Scanner, start: number): never {
  scanner.position = scanner.text.indexOf("!", start);
  return scanner.fail(afterField);
}

/** `alias:`, but not the `::` of a cast. Takes nothing if there is none. */
function takeAlias(scanner: Scanner): string | null {
  const start = scanner.position;
  if (scanner.startsWith("*")) return null;
  const name = takeName(scanner);
  if (scanner.startsWith(":") && !scanner.startsWith("::")) {
    scanner.position++;
    return name;
  }
  scanner.position = start;
  return null;
}

function takeEmbedParams(scanner: Scanner): {
  hint: string | null;
  join: "inner" | "left" | null;
  given: boolean;
} {
  let hint: string | null = null;
  let join: "inner" | "left" | null = null;
  let given = false;
  for (let count = 0; count < 2 && scanner.take("!"); count++) {
    given = true;
    const word = takeName(scanner);
    if (word === "inner" || word === "left") join ??= word;
    else hint ??= word;
  }
  return { hint, join, given };
}

function takeFieldItem(scanner: Scanner): SelectItem {
  if (scanner.take("*")) {
    requireEnd(scanner, '")", "," or end of input');
    return plainField("*");
  }
  const alias = takeAlias(scanner);
  scanner.skipBlanks();
  if (scanner.take("count()")) {
    const aggregateCast = takeCast(scanner);
    requireEnd(scanner, afterField);
    return { ...plainField("*"), alias, aggregate: "count", aggregateCast };
  }
  const field = takeField(scanner);
  const cast = takeCast(scanner);
  const aggregate = takeAggregate(scanner);
  const aggregateCast = takeCast(scanner);
  requireEnd(scanner, afterField);
  return { kind: "field", field, alias, cast, aggregate, aggregateCast };
}

function takeCast(scanner: Scanner): string | null {
  return scanner.take("::") ? takeIdentifier(scanner) : null;
}

function takeAggregate(scanner: Scanner) {
  if (!scanner.startsWith(".")) return null;
  const found = aggregates.find((name) => scanner.startsWith(`.${name}()`));
  if (!found) scanner.fail('",", ")", "::" or an aggregate (sum, avg, count, max, min)');
  scanner.position += found.length + 3;
  return found;
}

function requireEnd(scanner: Scanner, expected: string): void {
  scanner.skipBlanks();
  if (!scanner.atEnd && !scanner.startsWith(",") && !scanner.startsWith(")")) scanner.fail(expected);
}
