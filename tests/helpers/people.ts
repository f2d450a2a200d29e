import { Client } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";

/**
 * Who performs an action: a visitor without an account, a guest with an anonymous account, two traders, an admin, a
 * moderator, an editor, a server with the secret key.
 */
export type Person = "visitor" | "Guest" | "Ana" | "Ben" | "Eve" | "Mia" | "Ned" | "server";

/** Accounts that every test database with people has. */
export const ACCOUNTS = {
  Ana: { id: "a0000000-0000-4000-8000-00000000000a", email: "ana@example.org", username: "SwiftOtter100" },
  Ben: { id: "b0000000-0000-4000-8000-00000000000b", email: "ben@example.org", username: "CalmPanda200" },
  Eve: { id: "e0000000-0000-4000-8000-00000000000e", email: "eve@example.org", username: "WiseHeron300" },
} as const;
export type AccountHolder = keyof typeof ACCOUNTS;

/** Those accounts plus a moderator, an editor and the anonymous account, which only the tests that need them create. */
export const OWNERS = {
  ...ACCOUNTS,
  Mia: { id: "a1000000-0000-4000-8000-00000000000a", email: "mia@example.org", username: "KindSeal400" },
  Ned: { id: "a2000000-0000-4000-8000-00000000000a", email: "ned@example.org", username: "QuickLynx500" },
  Guest: { id: "90000000-0000-4000-8000-000000000009", email: "" },
} as const;
export type Owner = keyof typeof OWNERS;

/** Creates accounts for Ana, Ben and Eve the way a sign-up does, and gives Eve the admin role. */
export async function addPeople(url: string): Promise<void> {
  await withClient(url, "test", async (client) => {
    for (const { id, email, username } of Object.values(ACCOUNTS)) {
      await client.query(
        `insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, created_at, updated_at)
         values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, now(), now(), now())`,
        [id, email],
      );
      await client.query("update public.profiles set username = $2 where id = $1", [id, username]);
    }
    await client.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [
      ACCOUNTS.Eve.id,
    ]);
  });
}

const addWithRole = (
  { id, email, username }: { id: string; email: string; username: string },
  role: string,
) => `
  insert into auth.users (id, email) values ('${id}', '${email}');
  update public.profiles set username = '${username}' where id = '${id}';
  insert into public.user_roles (user_id, role) values ('${id}', '${role}');`;

/** Creates Mia's account with the moderator role. */
export const ADD_MODERATOR = addWithRole(OWNERS.Mia, "moderator");
/** Creates Ned's account with the editor role. */
export const ADD_EDITOR = addWithRole(OWNERS.Ned, "editor");

/** Runs `attempt` in a transaction as a user, as the backend would, and rolls it back. */
export async function asPerson<Result>(
  url: string,
  person: Person,
  attempt: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = resting.get(url)?.pop() ?? (await connect(url));
  let isWhole = true;
  try {
    await client.query("begin");
    await become(client, person);
    return await attempt(client);
  } finally {
    await client.query("rollback").catch(() => {
      isWhole = false;
    });
    if (isWhole) resting.set(url, [...(resting.get(url) ?? []), client]);
    else await client.end();
  }
}

/**
 * Idle connections. No user state survives the transaction, so the next caller can reuse one: opening a connection
 * costs more than most attempts.
 */
const resting = new Map<string, Client[]>();

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // Losing an idle connection does no harm.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Closes the connections that `asPerson` keeps open to a database. */
export async function disconnectAll(url: string): Promise<void> {
  await Promise.all((resting.get(url) ?? []).map((client) => client.end()));
  resting.delete(url);
}

/** Switches to another user within the transaction, with the storage service's right to delete file rows. */
export async function become(client: Client, person: Person): Promise<void> {
  const { role, claims } = identityOf(person);
  await client.query(
    "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('request.jwt.claim.sub', '', true), set_config('storage.allow_delete_query', 'true', true)",
    [role, JSON.stringify(claims)],
  );
}

/** Switches to the owner of the tables, who bypasses every policy. */
export async function becomeOwner(client: Client): Promise<void> {
  await client.query("select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)");
}

function identityOf(person: Person) {
  if (person === "visitor") return { role: "anon", claims: { role: "anon" } };
  if (person === "server") return { role: "service_role", claims: { role: "service_role" } };
  const { id, email } = OWNERS[person];
  return { role: "authenticated", claims: { sub: id, email, role: "authenticated" } };
}

/** Runs one statement within a savepoint, so the transaction continues if it is refused. */
export async function attempt(client: Client, text: string, values: unknown[] = []) {
  await client.query("savepoint attempt");
  try {
    return await client.query(text, values);
  } catch (error) {
    await client.query("rollback to savepoint attempt");
    throw error;
  }
}
