import { type ApiError, apiError } from "../api-error.ts";

/** Thrown inside the parsers only; `parseWith` turns it into PGRST100. */
class Unexpected extends Error {
  readonly position: number;
  readonly expected: string;
  constructor(position: number, expected: string) {
    super(expected);
    this.position = position;
    this.expected = expected;
  }
}

/** A cursor over one query parameter. Each `take…` either advances or leaves the position unchanged. */
export class Scanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  startsWith(word: string): boolean {
    return this.text.startsWith(word, this.position);
  }

  take(word: string): boolean {
    if (!this.startsWith(word)) return false;
    this.position += word.length;
    return true;
  }

  /** `pattern` must be sticky. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.position = pattern.lastIndex;
    return found[0];
  }

  skipBlanks(): void {
    while (this.text[this.position] === " " || this.text[this.position] === "\t") this.position++;
  }

  rest(): string {
    const rest = this.text.slice(this.position);
    this.position = this.text.length;
    return rest;
  }

  fail(expected: string): never {
    throw new Unexpected(this.position, expected);
  }

  expect(word: string, expected = `"${word}"`): void {
    if (!this.take(word)) this.fail(expected);
  }

  expectEnd(expected = "end of input"): void {
    if (!this.atEnd) this.fail(expected);
  }
}

/**
 * Runs a parser on `text`.
 * @throws ApiError PGRST100 with what was parsed, the position of the error and what was expected there
 */
export function parseWith<T>(what: string, text: string, parser: (scanner: Scanner) => T, shown = text): T {
  const scanner = new Scanner(text);
  try {
    return parser(scanner);
  } catch (cause) {
    if (cause instanceof Unexpected) throw syntaxError(what, text, shown, cause);
    throw cause;
  }
}

function syntaxError(what: string, text: string, shown: string, cause: Unexpected): ApiError {
  const before = text.slice(0, cause.position).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  const character = [...text.slice(cause.position, cause.position + 2)][0];
  const found = character === undefined ? "end of input" : quoted(character, cause.expected);
  return apiError(
    400,
    "PGRST100",
    `"failed to parse ${what} (${shown})" (line ${before.length}, column ${column})`,
    `unexpected ${found} expecting ${cause.expected}`,
  );
}

/**
 * PostgREST quotes an unexpected character in single quotes if the end of input was expected, otherwise in double
 * quotes.
 */
function quoted(character: string, expected: string): string {
  return expected.endsWith("or end of input") ? `'${character}'` : JSON.stringify(character);
}
