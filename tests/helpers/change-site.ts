import { Client } from "pg";
import { onTestFinished } from "vitest";
import { testSite } from "./site.ts";

/**
 * Changes what the running site shows, by SQL as superuser, and puts it back when the test ends: other journeys visit
 * the same site. The pages follow within a moment, so poll for what the change brings.
 */
export async function changeSite(
  change: string,
  undo: string,
  databaseUrl = testSite().databaseUrl,
): Promise<void> {
  onTestFinished(() => runOn(databaseUrl, undo));
  await runOn(databaseUrl, change);
}

/** SQL as superuser, for what need not be put back. */
export async function runOn(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
