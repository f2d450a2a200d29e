import { createByteCache } from "#backend/memory/byte-cache.ts";
import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import { quoteIdentifier } from "#backend/postgres/quote.ts";

type Column = { name: string; sqlType: string };

/** What decides whether a table's policies for reading can tell people of one role apart. */
type PolicyText = {
  columns: readonly Column[];
  /** All their conditions as one; null when there are none. */
  condition: string | null;
  /** Whether they use anything that is neither PostgreSQL's own nor the table's: a function, another table. */
  usesOthers: boolean;
};

export type IsPersonal = (policies: PolicyText) => Promise<boolean>;

const MAX_BYTES = 1_000_000;
const ANSWER_BYTES = 100;
/** The answer for a text stays the same, but for one that the database could not give. */
const REMEMBERED_MS = 300_000;

/**
 * PostgreSQL decides: it takes an expression for a generated column only if that is immutable and has no subquery, so
 * that it can read neither settings nor who asks nor the clock. Whatever it refuses, for any reason, counts as personal.
 */
export function createIsPersonal(database: Database): IsPersonal {
  const known = createByteCache<Promise<boolean>>({
    maxBytes: MAX_BYTES,
    lifetime: REMEMBERED_MS,
    sizeOf: () => ANSWER_BYTES,
  });

  async function isRefused(statement: string): Promise<boolean> {
    try {
      await database.batch([{ text: statement, values: [] }], { undo: true });
      return false;
    } catch (cause) {
      if (cause instanceof DatabaseError) return true;
      throw cause;
    }
  }

  return async ({ columns, condition, usesOthers }) => {
    if (condition === null || usesOthers) return usesOthers;
    const statement = tryOut(columns, condition);
    const remembered = known.get(statement);
    if (remembered) return remembered;
    const answer = isRefused(statement);
    known.set(statement, answer);
    answer.catch(() => known.delete(statement));
    return answer;
  };
}

function tryOut(columns: readonly Column[], condition: string): string {
  const definitions = columns.map(({ name, sqlType }) => `${quoteIdentifier(name)} ${sqlType}`);
  const verdict = `"is shown" boolean generated always as (${condition}) stored`;
  return `create temp table policy_trial (${[...definitions, verdict].join(", ")})`;
}
