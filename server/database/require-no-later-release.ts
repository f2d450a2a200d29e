import { withClient } from "#backend/postgres/with-client.ts";
import { filesOf } from "#backend/schema/schema-files.ts";
import { StartError } from "../configuration/start-error.ts";
import { findMigrations } from "./apply-migrations.ts";

/** Where each release records its changes to the tables, and the newest one that this release knows. */
const RECORDS = [
  {
    table: "supabase_migrations.schema_migrations",
    column: "version",
    known: () => findMigrations().map(({ version }) => version),
    unless: " A migration of your own needs its file in supabase/migrations.",
  },
  {
    table: "backend.schema_files",
    column: "name",
    known: () => [...filesOf("shared"), ...filesOf("own")],
    unless: "",
  },
];

/**
 * Refuses a database that a later release has written to, before anything is written: this release does not know the
 * changes, and would go by outdated rules.
 */
export async function requireNoLaterRelease(url: string): Promise<void> {
  await withClient(url, "release", async (client) => {
    for (const { table, column, known, unless } of RECORDS) {
      const { rows: tables } = await client.query("select to_regclass($1) is not null as there", [table]);
      if (!tables[0].there) continue;
      const { rows } = await client.query(`select ${column} as done from ${table} order by 1`);
      const names = new Set(known());
      const newest = numberOf([...names].sort().at(-1) ?? "");
      const later = rows.findLast(({ done }) => !names.has(done) && numberOf(done) > newest);
      if (!later) continue;
      throw new StartError(
        `The database was written by a later release: it has ${later.done}, and this release knows nothing after ${newest}. ` +
          'Start that release or a later one, or go back to the backup from before it ("Upgrade" in docs/operations.md).' +
          unless,
      );
    }
  });
}

/** Migrations and files are numbered with the same number of digits, so that comparing text compares numbers. */
function numberOf(name: string): string {
  return /^\d*/.exec(name)?.[0] ?? "";
}
