import { readFileSync, writeFileSync } from "node:fs";
import { withClient } from "#backend/postgres/with-client.ts";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { StartError } from "#server/configuration/start-error.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { applySchemas, countMissingRows } from "./apply-schemas.ts";
import { diffSchemas, format, generateTypes } from "./compare-schemas.ts";
import { generateLimits } from "./read-limits.ts";

const SUPABASE = new URL("../../supabase/", import.meta.url);

/**
 * `npm run schema -- NAME`: builds one database from the migrations and one from the schemas, writes the difference as
 * the next migration, and regenerates the row types and column limits.
 */
async function main([name]: string[]): Promise<void> {
  const postgres = await startPostgres({ ephemeral: true });
  try {
    const migrated = await createDatabase(postgres.url, "migrations");
    await applyMigrations(migrated);
    const declared = await createDatabase(postgres.url, "schemas");
    await applySchemas(declared);
    await writeMigration(name, await diffSchemas(migrated, declared), migrated);
    writeFileSync(new URL("database.types.ts", SUPABASE), await generateTypes(declared));
    writeFileSync(
      new URL("../domain/text/column-limits.ts", SUPABASE),
      await format(await generateLimits(declared)),
    );
    console.log("supabase/database.types.ts and domain/text/column-limits.ts are written.");
  } finally {
    await postgres.stop();
  }
}

async function createDatabase(clusterUrl: string, name: string): Promise<string> {
  await withClient(clusterUrl, "schema", (client) => client.query(`create database ${name}`));
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  await applyBackendSchema(url.href);
  return url.href;
}

async function writeMigration(name: string | undefined, diff: string, migrated: string): Promise<void> {
  // Default privileges are those of whoever migrates: not every database belongs to a role of this name.
  const difference = diff.replaceAll(' FOR ROLE "postgres"', "");
  const rows = await missingRows(migrated, difference);
  if (difference === "" && rows === "") return console.log("The migrations say what the schemas say.");
  if (!/^[a-z][a-z_]*$/.test(name ?? "")) {
    throw new StartError(
      "The schemas differ from the migrations. Name the next migration: npm run schema -- some_name",
    );
  }
  const version = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const file = `migrations/${version}_${name}.sql`;
  writeFileSync(
    new URL(file, SUPABASE),
    `${[difference, rows].filter((part) => part !== "").join("\n\n")}\n`,
  );
  console.log(
    `supabase/${file} is written. Read it before you commit it: what rows need has to be added by hand.`,
  );
}

/** Rows are compared on the tables as they will be after the migration. */
async function missingRows(migrated: string, difference: string): Promise<string> {
  if (difference !== "") await withClient(migrated, "schema", (client) => client.query(difference));
  const count = await countMissingRows(migrated);
  return count === 0 ? "" : readFileSync(new URL("rows.sql", SUPABASE), "utf8").trim();
}

runCommand(main);
