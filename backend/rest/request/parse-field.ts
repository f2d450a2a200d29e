import type { Field, JsonStep } from "../query/query-types.ts";
import type { Scanner } from "./scanner.ts";

const nameCharacters = /[\p{L}\p{Nd}_$ ]+/uy;
const jsonKeyCharacters = /[^(\-:.,>)]+/y;
const jsonIndex = /-?[0-9]+(?=->|::|\.|,|$)/y;

const fieldName = "field name (* or [a..z0..9_$])";

/** A column, relation or alias name: bare words joined by single dashes, or anything inside double quotes. */
export function takeName(scanner: Scanner): string {
  if (scanner.startsWith('"')) return takeQuoted(scanner);
  const name = takeDashed(scanner, nameCharacters);
  if (name === null || name.length === 0) scanner.fail(fieldName);
  return name;
}

/** Like `takeName`, but also accepts `*`. */
function takeNameOrStar(scanner: Scanner): string {
  return scanner.take("*") ? "*" : takeName(scanner);
}

/** `"…"` with backslash escapes. */
function takeQuoted(scanner: Scanner): string {
  scanner.expect('"');
  let value = "";
  for (;;) {
    const chunk = scanner.match(/[^"\\]+/y);
    if (chunk !== null) value += chunk;
    if (scanner.take('"')) return value;
    if (!scanner.take("\\")) scanner.fail('"\\"" or end of quoted value');
    if (scanner.atEnd) scanner.fail("character after the backslash");
    const escaped = String.fromCodePoint(scanner.text.codePointAt(scanner.position) as number);
    scanner.position += escaped.length;
    value += escaped;
  }
}

/** A type name in a cast, or a text search language. It goes into SQL unquoted, hence the restricted alphabet. */
export function takeIdentifier(scanner: Scanner, expected = "letter or digit"): string {
  const name = scanner.match(nameCharacters)?.trim();
  if (!name) scanner.fail(expected);
  return name;
}

export function takeField(scanner: Scanner): Field {
  scanner.skipBlanks();
  const name = takeNameOrStar(scanner);
  const path = takeJsonPath(scanner);
  scanner.skipBlanks();
  return { name, path };
}

function takeJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  for (;;) {
    const arrow = scanner.take("->>") ? "->>" : scanner.take("->") ? "->" : null;
    if (arrow === null) return path;
    path.push({ arrow, ...takeJsonOperand(scanner) });
  }
}

function takeJsonOperand(scanner: Scanner): { key: string; isIndex: boolean } {
  const index = scanner.match(jsonIndex);
  if (index !== null) return { key: index, isIndex: true };
  if (scanner.startsWith('"')) return { key: takeQuoted(scanner), isIndex: false };
  const key = takeDashed(scanner, jsonKeyCharacters);
  if (key === null) {
    if (scanner.take("-")) scanner.fail("digit");
    scanner.fail('"-", digit or any non reserved character different from: .,>()');
  }
  return { key, isIndex: false };
}

// A dash is part of the name unless it starts an arrow.
function takeDashed(scanner: Scanner, characters: RegExp): string | null {
  const first = scanner.match(characters);
  if (first === null) return null;
  const words = [first.trim()];
  while (scanner.startsWith("-") && !scanner.startsWith("->")) {
    scanner.position++;
    const word = scanner.match(characters);
    if (word === null) scanner.fail(fieldName);
    words.push(word.trim());
  }
  return words.join("-");
}
