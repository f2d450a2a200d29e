import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { addPeople, leaveDatabase } from "./people.ts";
import "./database-setup.ts";
import { onDatabase } from "./database-url.ts";
import { letPeopleBeGrownUp } from "./grown-ups.ts";
import { runOn } from "./run-on.ts";

/** A database of a test file's own: the backend's schema, the product's migrations and the starting catalogue. */
export type TestDatabase = {
  /** As superuser, who passes every rule. */
  url: string;
  /** As the backend logs in, before it takes a role. */
  authenticatorUrl: string;
  /** As the auth service logs in. */
  authUrl: string;
  drop(): Promise<void>;
};

/**
 * Clones the run's template. With `people`, Ana, Ben (traders) and Eve (admin) have accounts in it; `empty` gives a
 * database without anything at all. Whoever gets an account is grown up, except where it `asksAge`.
 */
export async function createTestDatabase(
  options: { people?: boolean; empty?: boolean; asksAge?: boolean } = {},
): Promise<TestDatabase> {
  const cluster = inject("testCluster");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template = options.empty ? "template0" : cluster.template;
  // File by file: by way of the log, which is meant for a busy server, it takes a third more.
  await runOn(cluster.url, `create database ${name} template ${template} strategy file_copy`);
  const url = onDatabase(cluster.url, name);
  if (!options.empty && !options.asksAge) await letPeopleBeGrownUp(url);
  if (options.people) await addPeople(url);
  return {
    url,
    authenticatorUrl: onDatabase(cluster.authenticatorUrl, name),
    authUrl: onDatabase(cluster.authenticatorUrl, name).replace("authenticator:", "supabase_auth_admin:"),
    drop: async () => {
      await leaveDatabase(url);
      await runOn(cluster.url, `drop database if exists ${name} with (force)`);
    },
  };
}

export { asPerson, attempt, become, becomeOwner } from "./people.ts";
