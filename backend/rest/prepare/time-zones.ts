import type { Database } from "#backend/postgres/database.ts";

/** Names that `Prefer: timezone=` may take; read from the database at the first such preference. */
export type TimeZones = {
  ready(preferHeader: string | undefined): Promise<void> | undefined;
  has(name: string): boolean;
};

export function createTimeZones(database: Database): TimeZones {
  let names: ReadonlySet<string> | null = null;

  async function load(): Promise<void> {
    const rows = await database.query("select name from pg_catalog.pg_timezone_names");
    names = new Set(rows.map((row) => row.name as string));
  }

  return {
    ready: (header) => (names === null && header?.includes("timezone=") ? load() : undefined),
    has: (name) => names?.has(name) ?? false,
  };
}
