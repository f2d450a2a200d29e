import { inChunks } from "#backend/memory/in-chunks.ts";
import { DatabaseError } from "#backend/postgres/database.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";

/** Maximum number of accounts deleted (by cascade) per statement, during which moderators wait. */
const AT_ONCE = 50;

/**
 * Deletes accounts with `remove`, which gets their ids as an array's text. One that can't be deleted, since a table of
 * the operator's refers to it, keeps only itself; the first such failure is thrown at the end.
 */
export async function removeAccounts(
  ids: readonly string[],
  remove: (ids: string) => Promise<unknown>,
): Promise<void> {
  const attempt = (some: readonly string[]): Promise<DatabaseError | null> =>
    remove(arrayLiteral(some)).then(
      () => null,
      (cause) => {
        if (cause instanceof DatabaseError) return cause;
        throw cause;
      },
    );
  const failures: DatabaseError[] = [];
  for (const batch of inChunks(ids, AT_ONCE)) {
    if ((await attempt(batch)) === null) continue;
    for (const id of batch) {
      const failure = await attempt([id]);
      if (failure) failures.push(failure);
    }
  }
  if (failures[0]) throw failures[0];
}
