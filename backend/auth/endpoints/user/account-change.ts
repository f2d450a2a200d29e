import type { Query } from "#backend/postgres/database.ts";

/**
 * A validated change to an account, to be written in one transaction with others. Resolves with the sending to do after
 * the commit; rejects if the change is no longer possible.
 */
export type AccountChange = (query: Query) => Promise<(() => Promise<void> | void) | null>;
