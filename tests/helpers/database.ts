import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { addPeople, disconnectAll } from "./people.ts";
import "./database-setup.ts";
import { makeNewUsersAdults } from "./adult-users.ts";
import { onDatabase } from "./database-url.ts";
import { runOn } from "./run-on.ts";

/** A test file's own database: the backend's schema, the product's migrations and the starting catalog. */
export type TestDatabase = {
  /** As superuser, who bypasses every policy. */
  url: string;
  /** The login the backend uses before it switches roles. */
  authenticatorUrl: string;
  /** The login of the auth service. */
  authUrl: string;
  drop(): Promise<void>;
};

/**
 * For tests that create tables of their own: visitors and users may use them, as in a new project. The product's schema
 * grants nothing by default.
 */
export const GRANT_NEW_TABLES =
  "alter default privileges in schema public grant all on tables to anon, authenticated";

/**
 * Clones the run's template. With `people`, Ana, Ben (traders) and Eve (admin) have accounts in it; `empty` gives a
 * completely empty database. New accounts are adults unless the test `asksAge`.
 */
export async function createTestDatabase(
  options: { people?: boolean; empty?: boolean; asksAge?: boolean } = {},
): Promise<TestDatabase> {
  const cluster = inject("testCluster");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template = options.empty ? "template0" : cluster.template;
  // The file-copy strategy: going through the WAL, which suits a busy server, takes a third longer.
  await runOn(cluster.url, `create database ${name} template ${template} strategy file_copy`);
  const url = onDatabase(cluster.url, name);
  if (!options.empty && !options.asksAge) await makeNewUsersAdults(url);
  if (options.people) await addPeople(url);
  return {
    url,
    authenticatorUrl: onDatabase(cluster.authenticatorUrl, name),
    authUrl: onDatabase(cluster.authenticatorUrl, name).replace("authenticator:", "supabase_auth_admin:"),
    drop: async () => {
      await disconnectAll(url);
      await runOn(cluster.url, `drop database if exists ${name} with (force)`);
    },
  };
}

export { asPerson, attempt, become, becomeOwner } from "./people.ts";
