import { createServer } from "node:http";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Client } from "pg";
import { toNode } from "#backend/http/to-node.ts";
import { createLog } from "#backend/log/log.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { readConfig } from "#server/configuration/config.ts";
import { connectBundled } from "#server/connection/connect-bundled.ts";
import type { DatabaseLogins } from "#server/database/open-database.ts";
import { listen } from "#tests/helpers/listen.ts";
import { type Cast, USER_ACTIONS } from "./user-actions.ts";

/**
 * Has users use the site as a release's database allows: through the services and the official client. Skips what a
 * release does not support. Returns how many of the actions it used.
 */
export async function fillSite(dataDir: string, database: DatabaseLogins, owner: Client): Promise<number> {
  const config = readConfig({ DATA_DIR: dataDir, PORT: "0", GOTRUE_RATE_LIMIT_SIGN_UPS: "1000" });
  const connection = await connectBundled(config, database, SINGLE_PROCESS, createLog({ format: "human" }));
  if (!connection.handler) throw new Error("the services have no handler");
  const { url: address, close } = await listen(createServer(toNode(connection.handler)));
  connection.servedAt(address);
  try {
    const cast = await gatherPeople(address, connection.anonKey, owner);
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       union select proname from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    const known = new Set(rows.map(({ name }) => name));
    const open = USER_ACTIONS.filter(
      ({ needs, without = [] }) =>
        needs.every((name) => known.has(name)) && !without.some((name) => known.has(name)),
    );
    for (const action of open) {
      const failed = (error: Error) => {
        throw new Error(`${action.needs}: ${error.message}\n${action.run}`, { cause: error });
      };
      const { error } = await Promise.resolve(action.run(cast)).catch(failed);
      if (error) failed(error as Error);
    }
    return open.length;
  } finally {
    await close();
    await connection.close();
  }
}

async function gatherPeople(address: string, anonKey: string, owner: Client): Promise<Cast> {
  const connect = () =>
    createClient(address, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
    });
  const signUp = async (name: string): Promise<[SupabaseClient, string]> => {
    const client = connect();
    const email = `${name.toLowerCase()}@example.com`;
    const { data, error } = await client.auth.signUp({ email, password: "Abcdefghij1!" });
    if (!data.user) throw error ?? new Error(`${name} could not sign up`);
    return [client, data.user.id];
  };
  const [Ana, ana] = await signUp("Ana");
  const [Ben, ben] = await signUp("Ben");
  const [Eve, eve] = await signUp("Eve");
  await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [eve]);
  // The accounts are a while old, and the operator accepts messages.
  await owner.query("update auth.users set created_at = created_at - interval '30 days'");
  await owner.query("update private.settings set stores_contact_messages = true");
  return { visitor: connect(), Ana, Ben, Eve, ids: { Ana: ana, Ben: ben, Eve: eve } };
}
