import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "pg";
import { applyMigrations, findMigrations } from "#server/database/apply-migrations.ts";
import { applyOldMigrations } from "#tests/helpers/old-migrations.ts";

const FOLDER = new URL("../../../supabase/migrations/", import.meta.url);
const MIGRATIONS = findMigrations();

/** The state in which a release left a database. */
export type ReleasedState = {
  name: string;
  /** How many of today's migrations it had; null for one before the first. */
  migrations: number | null;
};

/** Every state a site may upgrade from, oldest first: before the baseline, after each migration, and today's. */
export const RELEASED_STATES: readonly ReleasedState[] = [
  { name: "before the baseline", migrations: null },
  ...MIGRATIONS.map(({ name }, index) => ({ name, migrations: index + 1 })),
];

/** How many of the migrations are recorded once today's release has upgraded it. */
export const ALL_MIGRATIONS = MIGRATIONS.length;
export const MIGRATION_VERSIONS = MIGRATIONS.map(({ version }) => version);

/** Brings a database with the backend's schema into that state. */
export async function migrateTo({ migrations }: ReleasedState, client: Client, url: string): Promise<void> {
  if (migrations === null) return await applyOldMigrations(client);
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  try {
    for (const { file } of MIGRATIONS.slice(0, migrations))
      copyFileSync(new URL(file, FOLDER), join(folder, file));
    await applyMigrations(url, pathToFileURL(`${folder}/`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
