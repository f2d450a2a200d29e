import { readFileSync } from "node:fs";
import type { Client } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";

const SUPABASE = new URL("../../supabase/", import.meta.url);

/** The schema files listed in `supabase/config.toml` (`schema_paths`), in the order in which they are applied. */
function listSchemaFiles(): string[] {
  const config = readFileSync(new URL("config.toml", SUPABASE), "utf8");
  const [, list] = /^schema_paths = \[([^\]]*)\]/m.exec(config) ?? [];
  if (list === undefined) throw new Error("supabase/config.toml names no schema_paths");
  return Array.from(list.matchAll(/"([^"]+)"/g), ([, path]) => path as string);
}

/**
 * Builds the product's database from `supabase/schemas` and `supabase/rows.sql`, on top of the backend's schema.
 * Rejects with the database's error, naming the file.
 */
export async function applySchemas(url: string): Promise<void> {
  await asOwner(url, async (client) => {
    for (const path of [...listSchemaFiles(), "rows.sql"]) await applyFile(client, path);
  });
}

/** The number of rows that `supabase/rows.sql` would still add or change; leaves the database unchanged. */
export async function countMissingRows(url: string): Promise<number> {
  return await asOwner(url, async (client) => {
    await client.query("begin");
    const results = await applyFile(client, "rows.sql");
    await client.query("rollback");
    return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  });
}

function asOwner<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  return withClient(url, "schemas", async (client) => {
    await client.query("set client_min_messages = warning; set search_path = public, extensions");
    return await use(client);
  });
}

async function applyFile(client: Client, path: string): Promise<{ rowCount: number | null }[]> {
  try {
    const result = await client.query(readFileSync(new URL(path, SUPABASE), "utf8"));
    return Array.isArray(result) ? result : [result];
  } catch (error) {
    throw new Error(`supabase/${path}: ${(error as Error).message}`, { cause: error });
  }
}
