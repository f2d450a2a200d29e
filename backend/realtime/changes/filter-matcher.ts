import { inChunks } from "#backend/memory/in-chunks.ts";
import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import type { RowText } from "../feed/change-feed.ts";
import { type Condition, OPERATORS } from "./change-filter.ts";
import type { Column } from "./table-facts.ts";
import { isPattern, readPattern, type TextPattern } from "./text-pattern.ts";

/** A validated condition, its operand normalized by PostgreSQL. */
export type SettledCondition = Condition & {
  sqlType: string;
  /** Whether comparing the text representations is equivalent to comparing the values. */
  isPlain: boolean;
  /** Matched in this process rather than by PostgreSQL. */
  pattern: TextPattern | null;
};

export type Matcher = {
  /** Whether a row meets a condition. A row that lacks the column does not. */
  match(condition: SettledCondition, row: RowText): boolean;
  /** Conditions that PostgreSQL failed to evaluate, with the error; these match nothing. */
  failures: Map<SettledCondition, string>;
};

/** Longer than any legitimate comparison takes. */
const COMPARISON_TIMEOUT_MS = 1_000;

/** A condition and a row each: between queries, everyone else gets a turn. */
const MAX_PAIRS = 5_000;

/** Types whose values are equal exactly if their text representations are. */
const PLAIN_TYPES = new Set(["int2", "int4", "int8", "oid", "uuid", "text", "varchar", "date"]);

/** Rejects with PostgreSQL's error for an invalid operand, such as `invalid input syntax for type integer: "x"`. */
export async function settleCondition(
  database: Database,
  condition: Condition,
  { type, sqlType }: Column,
): Promise<SettledCondition> {
  const { operator } = condition;
  const pattern = isPattern(condition) ? readPattern(condition, type) : null;
  const isPlain = (operator === "eq" || operator === "neq") && PLAIN_TYPES.has(type);
  const settled = { ...condition, sqlType, isPlain, pattern };
  // Runs the comparison once, so that an operator the type does not support is refused now.
  const sample = `select (${comparisonOf(settled)}) from (select null::text as v, $1::text as o) as sample`;
  const rows = await database.query(`select (${operandOf(settled, "$1")})::text as operand, (${sample})`, [
    pattern ? "" : condition.value,
  ]);
  return pattern ? settled : { ...settled, value: rows[0]?.operand ?? condition.value };
}

/** Whether PostgreSQL compares it with every row. */
export const isCompared = ({ isPlain, pattern }: SettledCondition): boolean => !isPlain && !pattern;

/** Results by condition and row. */
export type Matches = Map<SettledCondition, Map<RowText, boolean>>;

/**
 * Evaluates conditions against rows. Plain equality is compared in this process, results for patterns are passed in as
 * `patterns`, and PostgreSQL evaluates all other conditions and rows by kind of comparison, several thousand at a time.
 */
export async function createMatch(
  database: Database,
  conditions: readonly SettledCondition[],
  rows: readonly RowText[],
  patterns: Matches,
): Promise<Matcher> {
  const groups = Map.groupBy(conditions.filter(isCompared), comparisonOf);
  const answers: Answers = { matches: new Map(patterns), failures: new Map() };
  const atOnce = Math.max(1, Math.floor(MAX_PAIRS / rows.length));
  for (const [comparison, group] of groups) {
    for (const some of inChunks(group, atOnce)) await compareEach(database, comparison, some, rows, answers);
  }
  const { matches, failures } = answers;
  return {
    failures,
    match(condition, row) {
      const value = row[condition.column];
      if (value === undefined) return false;
      if (!condition.isPlain) return matches.get(condition)?.get(row) ?? false;
      if (value === null) return false;
      return (value === condition.value) === ((condition.operator === "eq") !== condition.negated);
    },
  };
}

type Answers = {
  matches: Matches;
  failures: Map<SettledCondition, string>;
};

/** Evaluates all conditions at once; on failure, bisects to isolate the ones that fail. */
async function compareEach(
  database: Database,
  comparison: string,
  conditions: readonly SettledCondition[],
  rows: readonly RowText[],
  answers: Answers,
): Promise<void> {
  try {
    await compare(database, comparison, conditions, rows, answers.matches);
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause;
    const [only] = conditions;
    if (only && conditions.length === 1) {
      answers.failures.set(only, cause.message);
      return;
    }
    const half = Math.ceil(conditions.length / 2);
    await compareEach(database, comparison, conditions.slice(0, half), rows, answers);
    await compareEach(database, comparison, conditions.slice(half), rows, answers);
  }
}

async function compare(
  database: Database,
  comparison: string,
  conditions: readonly SettledCondition[],
  rows: readonly RowText[],
  matches: Answers["matches"],
): Promise<void> {
  const pairs = conditions.flatMap((condition) => rows.map((row) => ({ condition, row })));
  const text = `
    select string_agg(case when ${comparison} then '1' else '0' end, '' order by n) as marks
    from rows from (jsonb_array_elements_text($1::jsonb), jsonb_array_elements_text($2::jsonb))
      with ordinality as pair (v, o, n)`;
  const values = [
    JSON.stringify(pairs.map(({ condition, row }) => row[condition.column] ?? null)),
    JSON.stringify(pairs.map(({ condition }) => condition.value)),
  ];
  const limit = "select set_config('statement_timeout', $1, true)";
  const [answer] = await database.batch([
    { text: limit, values: [String(COMPARISON_TIMEOUT_MS)] },
    { text, values },
  ]);
  for (const [at, { condition, row }] of pairs.entries()) {
    const ofCondition = matches.get(condition) ?? new Map<RowText, boolean>();
    matches.set(condition, ofCondition.set(row, answer?.marks?.[at] === "1"));
  }
}

/** SQL comparing `v`, the value, with `o`, the operand; conditions with equal SQL share a query. */
function comparisonOf(condition: SettledCondition): string {
  const { operator, negated, sqlType, value } = condition;
  const operand = operator === "in" ? `(${operandOf(condition, "o")})` : operandOf(condition, "o");
  const compared =
    operator === "is"
      ? value === "null"
        ? "v is null"
        : `v::${sqlType} is ${value}`
      : `v::${sqlType} ${OPERATORS[operator]} ${operand}`;
  return negated ? `not (${compared})` : compared;
}

function operandOf({ operator, sqlType }: SettledCondition, operand: string): string {
  if (operator === "is") return `${operand}::text`;
  return operator === "in" ? `${operand}::text::${sqlType}[]` : `${operand}::text::${sqlType}`;
}
