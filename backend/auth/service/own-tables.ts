import { hash } from "node:crypto";
import type { Database, Query, Step } from "#backend/postgres/database.ts";
import { type CountStore, createDatabaseStore, createMemoryStore } from "../limits/count-store.ts";
import type { AuthConfig } from "./auth-config.ts";

/** A signed text that proves an identity; valid once, and until `until`. */
export type Proof = { text: string; until: Date };

/** Storage for which the hosted service's schema has no tables. */
export type OwnTables = {
  areKept: boolean;
  counts: CountStore;
  /** The step that selects the kinds of password hashes among imported accounts. */
  passwordKinds: Step;
  /** Resolves with true if the proof was not used before. */
  spend(query: Query, proof: Proof): Promise<boolean>;
};

export function createOwnTables(database: Database): OwnTables {
  return {
    areKept: true,
    counts: createDatabaseStore(database),
    passwordKinds: { text: "select * from backend.foreign_password_kinds() as kind", values: [] },
    async spend(query, { text, until }) {
      const taken = await query(
        "insert into backend.used_proofs (digest, until) values ($1, $2) on conflict do nothing returning digest",
        [hash("sha256", text), until.toISOString()],
      );
      return taken.length > 0;
    },
  };
}

/** Features that do not work without the tables. */
export const WITHOUT_TABLES: Partial<AuthConfig> = { recoveryCodes: false, accountGuard: null };

/** Keeps the data in memory. Timing of a sign-in may reveal which hash an imported account uses. */
export function createWithoutTables(database: Database): OwnTables {
  const spent = new Map<string, number>();
  return {
    areKept: false,
    counts: createMemoryStore(database),
    passwordKinds: { text: "select null as kind where false", values: [] },
    async spend(_query, { text, until }) {
      const now = Date.now();
      for (const [digest, end] of spent) if (end < now) spent.delete(digest);
      const digest = hash("sha256", text);
      if (spent.has(digest)) return false;
      spent.set(digest, until.getTime());
      return true;
    },
  };
}
