import { RE2JS } from "re2js";
import { type Condition, FilterError, type Operator } from "./change-filter.ts";

/** A pattern from a filter, matched in time linear in the length of the text, whatever the pattern. */
export type TextPattern = {
  matches(text: string): boolean;
  /** Longest text, in characters, that it is matched against; longer texts never match. */
  maxLength: number;
};

const PATTERNS: Partial<Record<Operator, { isLike: boolean; ignoresCase: boolean }>> = {
  like: { isLike: true, ignoresCase: false },
  ilike: { isLike: true, ignoresCase: true },
  match: { isLike: false, ignoresCase: false },
  imatch: { isLike: false, ignoresCase: true },
};

export const isPattern = ({ operator }: Condition): boolean => operator in PATTERNS;

const MAX_PATTERN_LENGTH = 1_000;
/** Instructions in the compiled pattern: `a{500}` has 500. */
const MAX_STEPS = 2_000;
/** Longest text, and maximum characters times steps: at most a fifth of a second, which cannot be interrupted. */
const MAX_TEXT_LENGTH = 100_000;
const MAX_WORK = 5_000_000;

/**
 * PostgreSQL's own engine backtracks: a 20-character pattern can keep it busy for a second with a single row. RE2 takes
 * the same expressions except lookaround and backreferences, which cannot be matched in linear time.
 * @throws FilterError with the message for the client
 */
export function readPattern({ operator, value }: Condition, type: string): TextPattern {
  const { isLike, ignoresCase } = PATTERNS[operator] ?? { isLike: true, ignoresCase: false };
  if (type === "bytea") throw refused("is for texts, and the column has none");
  if (value.length > MAX_PATTERN_LENGTH) throw refused(`is longer than ${MAX_PATTERN_LENGTH} characters`);
  const folds = ignoresCase || type === "citext";
  const pattern = compile(isLike ? fromLike(value) : fromExpression(value), folds);
  const steps = pattern.programSize();
  if (steps > MAX_STEPS) throw refused("is too large");
  const maxLength = Math.min(MAX_TEXT_LENGTH, Math.floor(MAX_WORK / steps));
  return { matches: (text) => pattern.matcher(text).find(), maxLength };
}

function compile(expression: string, folds: boolean): RE2JS {
  try {
    return RE2JS.compile(expression, RE2JS.DOTALL | (folds ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (cause) {
    throw refused(`cannot be read: ${(cause as Error).message}`);
  }
}

const refused = (why: string) => new FilterError(`Error parsing \`filter\` params: the pattern ${why}`);

/** `%` matches anything, `_` one character; a backslash escapes. */
function fromLike(like: string): string {
  const parts = like.match(/\\.|./gsu) ?? [];
  const expressions = parts.map((part) => {
    if (part === "%") return ".*";
    if (part === "_") return ".";
    if (part === "\\") throw new FilterError("LIKE pattern must not end with escape character");
    return RE2JS.quote(part.length > 1 && part.startsWith("\\") ? part.slice(1) : part);
  });
  return `\\A(?:${expressions.join("")})\\z`;
}

/** PostgreSQL's `\w` and similar classes include letters of all scripts, not only ASCII. */
const CLASSES: Record<string, [inside: string, outside: string]> = {
  d: ["\\p{Nd}", "\\p{Nd}"],
  w: ["\\p{L}\\p{N}_", "[\\p{L}\\p{N}_]"],
  D: ["\\P{Nd}", "\\P{Nd}"],
  W: ["\\W", "[^\\p{L}\\p{N}_]"],
};

function fromExpression(expression: string): string {
  let isInside = false;
  return expression.replace(/\\.|\[\^?\]?|\]/gsu, (part, at: number) => {
    if (part.startsWith("\\")) return CLASSES[part.slice(1)]?.[isInside ? 0 : 1] ?? part;
    // `[:alpha:]` within brackets opens no nested bracket.
    if (part.startsWith("[") && isInside) return part;
    if (part === "]" && expression[at - 1] === ":" && isInside) return part;
    isInside = part !== "]";
    return part;
  });
}
