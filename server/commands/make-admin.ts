import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import type { QueryResultRow } from "pg";
import { createBackend } from "#backend/backend.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { withClient } from "#backend/postgres/with-client.ts";
import { authOptions } from "../configuration/auth-options.ts";
import { atAddress, readConfig, type ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import { ANONYMOUS } from "../connection/backend-connection.ts";
import { type BackendKeys, loadKeys } from "../data-dir/load-keys.ts";
import { findRunningAddress } from "../data-dir/lock-data-dir.ts";
import { asLogin, openDatabase } from "../database/open-database.ts";
import { reachDatabase } from "../database/reach-database.ts";
import { runCommand, warnOfNewFolder } from "./run-command.ts";

/** Command-line options, accepted in any order. */
const OPTIONS = {
  existing: { type: "boolean" },
  role: { type: "string", default: "admin" },
  remove: { type: "boolean" },
} as const;
const ROLES = ["admin", "editor", "moderator"];
const USAGE =
  "Usage: npm run admin -- somebody@example.org [--role editor|moderator] [--existing] [--remove]";

/**
 * `npm run admin -- EMAIL [--role editor|moderator] [--existing]`: gives an account the role of admin, editor or
 * moderator, and creates the account if there is none. An account that is already usable belongs to somebody:
 * `--existing` confirms that the operator knows whose it is. `--remove` takes the role away.
 */
async function main(args: string[]): Promise<void> {
  const { email, role, isMeant, isRemoved } = readArguments(args);
  const read = readConfig();
  // Links must lead to the running site, whatever port it took.
  const config = atAddress(read, findRunningAddress(read.dataDir));
  if (config.hosted) {
    throw new StartError("SUPABASE_URL is set: add a row to user_roles in that project instead.");
  }
  warnOfNewFolder(config);
  const open = async () => openDatabase(config, await loadKeys(config.dataDir, config.jwtSecret), () => {});
  const database = await reachDatabase(config, open);
  try {
    const keys = await loadKeys(config.dataDir, config.jwtSecret);
    if (isRemoved) return console.log(await removeRole(database.url, email, role));
    const account = await findOrCreate(email, { isMeant, role }, database.url, config, keys);
    await grantRole(database.url, account.id, role);
    console.log(`${email} is ${nameRole(role)}.`);
    if (account.link) console.log(`Choose the password at ${account.link}`);
  } finally {
    await database.stop();
  }
}

/** @throws StartError that names the missing or wrong argument */
function readArguments(args: string[]) {
  const { values, positionals } = parse(args);
  const email = positionals[0]?.trim().toLowerCase();
  if (!email?.includes("@")) throw new StartError(USAGE);
  if (positionals.length > 1)
    throw new StartError("One address at a time: npm run admin -- somebody@example.org");
  const { role, existing = false, remove = false } = values;
  if (!ROLES.includes(role)) throw new StartError(`There is no role ${role}: --role ${ROLES.join(", ")}.`);
  return { email, role, isMeant: existing, isRemoved: remove };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch {
    throw new StartError(USAGE);
  }
}

const nameRole = (role: string) => (role === "moderator" ? "a moderator" : `an ${role}`);

type Meant = { isMeant: boolean; role: string };

async function findOrCreate(
  email: string,
  { isMeant, role }: Meant,
  databaseUrl: string,
  config: ServerConfig,
  keys: BackendKeys,
): Promise<{ id: string; link: string | null }> {
  const known = await findAccount(databaseUrl, email);
  if (known?.confirmed && !isMeant) throw new StartError(describeKnown(email, known, role));
  if (known?.confirmed) return { id: known.id, link: null };
  const authUrl = asLogin(databaseUrl, "supabase_auth_admin", keys.authAdminPassword);
  const auth = authOptions(config, { databaseUrl: authUrl }, SINGLE_PROCESS, () => {});
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

/** Warns that without confirmation mails an address belongs to whoever signed up with it first. */
function describeKnown(email: string, { since, proved }: KnownAccount, role: string): string {
  const proof = proved
    ? "its address was confirmed by a mail"
    : "its address was never confirmed by a mail, so it may be a stranger's";
  return [
    `${email} has had an account since ${since.toISOString().slice(0, 16).replace("T", " ")} UTC; ${proof}.`,
    `If it is the right person's: npm run admin -- ${email}${role === "admin" ? "" : ` --role ${role}`} --existing`,
    'If not: let that person choose a new password by "Forgot your password?" first, which signs everybody else out.',
  ].join("\n");
}

/** An unconfirmed account may be a stranger's: its password must not become an admin's. */
async function findAccount(databaseUrl: string, email: string): Promise<KnownAccount | undefined> {
  const { rows } = await run<KnownAccount>(
    databaseUrl,
    `update auth.users set encrypted_password = case when email_confirmed_at is not null then encrypted_password end
     where email = $1 and not is_sso_user
     returning id, created_at as since, email_confirmed_at is not null as confirmed,
       coalesce(email_confirmed_at > created_at, false) as proved`,
    [email],
  );
  return rows[0];
}

async function grantRole(databaseUrl: string, userId: string, role: string): Promise<void> {
  const text = "insert into public.user_roles (user_id, role) values ($1, $2) on conflict do nothing";
  await run(databaseUrl, text, [userId, role]);
}

async function removeRole(databaseUrl: string, email: string, role: string): Promise<string> {
  const { rowCount } = await run(
    databaseUrl,
    "delete from public.user_roles using auth.users where users.id = user_id and email = $1 and user_roles.role = $2",
    [email, role],
  );
  return rowCount ? `${email} is no longer ${nameRole(role)}.` : `${email} was not ${nameRole(role)}.`;
}

function run<Row extends QueryResultRow>(databaseUrl: string, text: string, values: string[]) {
  return withClient(databaseUrl, "make admin", (client) => client.query<Row>(text, values));
}

runCommand(main);
