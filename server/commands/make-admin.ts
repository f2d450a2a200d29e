import { existsSync } from "node:fs";
import { createClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { createBackend } from "#backend/backend.ts";
import { authOptions } from "../configuration/auth-options.ts";
import { atAddress, readConfig, type ServerConfig } from "../configuration/config.ts";
import { endWithFault, StartError } from "../configuration/start-error.ts";
import { ANONYMOUS } from "../connection/backend-connection.ts";
import { type BackendKeys, loadKeys } from "../data-dir/load-keys.ts";
import { findRunningAddress } from "../data-dir/lock-data-dir.ts";
import { asLogin, openDatabase } from "../database/open-database.ts";
import { reachDatabase } from "../database/reach-database.ts";

/**
 * `npm run admin -- EMAIL [--existing]`: makes an account an admin, and the account where there is none. One that may be
 * used already is somebody's: `--existing` says that the operator knows whose.
 */
async function main([address, ...options]: string[]): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const email = address?.trim().toLowerCase();
  if (!email?.includes("@")) throw new StartError("Say whom: npm run admin -- somebody@example.org");
  const read = readConfig();
  // Its links lead to the site that runs, whatever port it took.
  const config = atAddress(read, findRunningAddress(read.dataDir));
  if (config.hosted) {
    throw new StartError("SUPABASE_URL is set: add a row to user_roles in that project instead.");
  }
  const open = async () => openDatabase(config, await loadKeys(config.dataDir, config.jwtSecret), () => {});
  const database = await reachDatabase(config, open);
  try {
    const keys = await loadKeys(config.dataDir, config.jwtSecret);
    const account = await findOrCreate(email, options.includes("--existing"), database.url, config, keys);
    await grantAdmin(database.url, account.id);
    console.log(`${email} is an admin.`);
    if (account.link) console.log(`Choose the password at ${account.link}`);
  } finally {
    await database.stop();
  }
}

async function findOrCreate(
  email: string,
  isMeant: boolean,
  databaseUrl: string,
  config: ServerConfig,
  keys: BackendKeys,
): Promise<{ id: string; link: string | null }> {
  const known = await findAccount(databaseUrl, email);
  if (known?.confirmed && !isMeant) throw new StartError(describeKnown(email, known));
  if (known?.confirmed) return { id: known.id, link: null };
  const authUrl = asLogin(databaseUrl, "supabase_auth_admin", keys.authAdminPassword);
  const auth = authOptions(config, authUrl, () => {});
  const backend = await createBackend({ ...keys, databaseUrl, auth, realtime: null });
  try {
    const { auth: service } = createClient("http://backend.internal", keys.serviceRoleKey, {
      ...ANONYMOUS,
      global: { fetch: (input, init) => backend.fetch(new Request(input as Request, init)) },
    });
    const { data, error } = known
      ? { data: { user: known }, error: null }
      : await service.admin.createUser({ email, email_confirm: true });
    if (error) throw new StartError(`${email} cannot have an account: ${error.message}.`);
    const link = await service.admin.generateLink({
      type: "recovery",
      email,
      options: { redirectTo: `${auth.siteUrl}/auth` },
    });
    return { id: data.user.id, link: link.data.properties?.action_link ?? null };
  } finally {
    await backend.close();
  }
}

type KnownAccount = { id: string; since: Date; confirmed: boolean; proved: boolean };

/** Whoever signs up first with an address has it here, where no mail confirms that. */
function describeKnown(email: string, { since, proved }: KnownAccount): string {
  const proof = proved
    ? "its address was confirmed by a mail"
    : "its address was never confirmed by a mail, so it may be a stranger's";
  return [
    `${email} has had an account since ${since.toISOString().slice(0, 16).replace("T", " ")} UTC; ${proof}.`,
    `If it is the right person's: npm run admin -- ${email} --existing`,
    'If not: let that person choose a new password by "Forgot your password?" first, which signs everybody else out.',
  ].join("\n");
}

/** An account that nobody confirmed may be a stranger's: its password must not become an admin's. */
async function findAccount(databaseUrl: string, email: string): Promise<KnownAccount | undefined> {
  const { rows } = await inDatabase(databaseUrl, (client) =>
    client.query<KnownAccount>(
      `update auth.users set encrypted_password = case when email_confirmed_at is not null then encrypted_password end
       where email = $1 and not is_sso_user 
       returning id, created_at as since, email_confirmed_at is not null as confirmed,
         coalesce(email_confirmed_at > created_at, false) as proved`,
      [email],
    ),
  );
  return rows[0];
}

async function grantAdmin(databaseUrl: string, userId: string): Promise<void> {
  await inDatabase(databaseUrl, (client) =>
    client.query(
      "insert into public.user_roles (user_id, role) values ($1, 'admin') on conflict do nothing",
      [userId],
    ),
  );
}

async function inDatabase<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

main(process.argv.slice(2)).catch(endWithFault);
