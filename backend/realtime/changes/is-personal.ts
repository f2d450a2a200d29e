import { createByteCache } from "#backend/memory/byte-cache.ts";
import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import { quoteIdentifier } from "#backend/postgres/quote.ts";

type Column = { name: string; sqlType: string };

/** Determines whether a table's read policies can distinguish between users of the same role. */
type PolicyText = {
  columns: readonly Column[];
  /** All USING conditions joined by AND; null if there are none. */
  condition: string | null;
  /**
   * Whether they reference anything but PostgreSQL built-ins and the table itself, such as a function or another table.
   */
  usesOthers: boolean;
};

export type IsPersonal = (policies: PolicyText) => Promise<boolean>;

const MAX_BYTES = 1_000_000;
const ANSWER_BYTES = 100;
/** A result never changes for the same text, except after a database error. */
const REMEMBERED_MS = 300_000;

/**
 * Lets PostgreSQL decide: it accepts an expression for a generated column only if it is immutable and has no subquery,
 * so it cannot depend on settings, the current user or the clock. Anything it rejects, for whatever reason, counts as
 * personal.
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
