import type { Client } from "pg";
import { StartError } from "../configuration/start-error.ts";

const BASELINE = { version: "20261122000000", name: "baseline" };
/** The migrations that the baseline stands for: what a database has that was made before it. */
const REPLACED = { first: "20261121090000", last: "20261121102410", count: 48 };

/**
 * Records the baseline in place of the 48 migrations that it replaces, in a database that has them; any other database
 * is left as it is. Throws a `StartError` where some of the 48 are missing: the baseline would skip what those do.
 */
export async function adoptBaseline(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from supabase_migrations.schema_migrations where version between $1 and $2`,
    [REPLACED.first, REPLACED.last],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  if (count < REPLACED.count) {
    throw new StartError(
      `The database was made by an early release, with ${count} of its ${REPLACED.count} migrations. ` +
        "Start the release before this one once, so that it applies the others.",
    );
  }
  await client.query(
    `with replaced as (delete from supabase_migrations.schema_migrations where version between $1 and $2)
    insert into supabase_migrations.schema_migrations (version, name) values ($3, $4) on conflict do nothing`,
    [REPLACED.first, REPLACED.last, BASELINE.version, BASELINE.name],
  );
}
