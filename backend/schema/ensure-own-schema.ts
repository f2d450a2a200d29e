import type { Client } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";
import { applyFiles, filesOf, whileLocked } from "./schema-files.ts";

/**
 * Creates the schema `backend` if it is missing, with the auth service's own login. Resolves with null on success, else
 * with the reason: one sentence for the operator that says what to do, and what is unavailable meanwhile. Rejects with
 * the driver's error for anything else.
 */
export async function ensureOwnSchema(url: string): Promise<string | null> {
  return withClient(url, "backend schema", async (client) => {
    try {
      if (!(await isComplete(client))) await whileLocked(url, (maker) => applyFiles(maker, "own"));
      return null;
    } catch (cause) {
      if ((cause as { code?: string }).code !== "42501") throw cause;
      return await describe(client);
    }
  });
}

/** Undefined table, undefined schema, or insufficient privilege. */
const ABSENT = new Set(["42P01", "3F000", "42501"]);

async function isComplete(client: Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ name: string }>("select name from backend.schema_files");
    const applied = new Set(rows.map(({ name }) => name));
    return filesOf("own").every((name) => applied.has(name));
  } catch (cause) {
    if (ABSENT.has((cause as { code?: string }).code ?? "")) return false;
    throw cause;
  }
}

async function describe(client: Client): Promise<string> {
  const { rows } = await client.query("select current_user as login, current_database() as database");
  const { login, database } = rows[0];
  return (
    `Role "${login}" may not make the schema "backend" in database "${database}", so each process counts limits for itself, ` +
    "and there are no recovery codes. The database's owner can allow it with: " +
    `grant create on database "${database}" to "${login}"`
  );
}
