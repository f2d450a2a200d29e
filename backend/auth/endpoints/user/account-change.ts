import type { Query } from "#backend/postgres/database.ts";

/**
 * A checked change to an account, to be written in one transaction with others. Resolves with what is to be sent once it
 * is committed; rejects where it cannot be made any more.
 */
export type AccountChange = (query: Query) => Promise<(() => Promise<void> | void) | null>;
