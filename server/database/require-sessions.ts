import type { Client } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";
import { StartError } from "../configuration/start-error.ts";

/** Attempts, since a pooler's other clients may get in between. */
const LOOKS = 5;

/**
 * Refuses an address behind which each transaction gets another connection, where LISTEN, session locks and prepared
 * statements would not hold. Detected when two clients at once share one PostgreSQL backend.
 */
export async function requireSessions(url: string, variable: string): Promise<void> {
  const isShared = await withClient(url, "sessions", (one) =>
    withClient(url, "sessions", (other) => shareBackend(one, other)),
  );
  if (isShared) throw new StartError(refusal(variable));
}

async function shareBackend(one: Client, other: Client): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const backend = await backendOf(one);
    if (backend === (await backendOf(other))) return true;
    // A direct connection: the process id in its cancel key is that of the backend itself.
    if ((one as unknown as { processID: number }).processID === backend) return false;
  }
  return false;
}

async function backendOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
}

function refusal(variable: string): string {
  const why = `${variable} leads to a pooler that gives each transaction another connection`;
  if (variable === "DATABASE_READ_URL") return `${why}: it must lead to a replica itself.`;
  return variable === "DATABASE_URL"
    ? `${why}: set DATABASE_DIRECT_URL as well, to PostgreSQL itself.`
    : `${why}: it must lead to PostgreSQL itself.`;
}

/** Refuses a pooler that rejects the site's logins, or that leads to another database than the owner's URL. */
export async function requireSameDatabase(url: string, logins: readonly string[]): Promise<void> {
  const wanted = (await identify(url)).name;
  for (const login of logins) {
    const { name: found } = await identify(login).catch((error: Error) => {
      throw new StartError(
        `DATABASE_URL does not let ${new URL(login).username} in: ${error.message}. deploy/pgbouncer.ini shows how it does.`,
      );
    });
    if (found !== wanted)
      throw new StartError("DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.");
  }
}

/** Refuses a URL that can never serve reads for the owner's database; one that does not respond yet is accepted. */
export async function requireReplica(url: string, readUrl: string): Promise<void> {
  const found = await identify(readUrl).catch(() => null);
  if (found === null) return;
  if (found.name !== (await identify(url)).name)
    throw new StartError("DATABASE_READ_URL leads to another database than DATABASE_URL.");
  if (!found.follows) throw new StartError("DATABASE_READ_URL leads to no replica: it takes writes itself.");
  await requireSessions(readUrl, "DATABASE_READ_URL");
}

/** The same name for one database, whichever address reaches it. */
function identify(url: string): Promise<{ name?: string; follows?: boolean }> {
  return withClient(url, "sessions", async (client) => {
    const { rows } = await client.query<{ name: string; follows: boolean }>(
      "select concat(system_identifier, ' ', current_database()) as name, pg_is_in_recovery() as follows from pg_control_system()",
    );
    return rows[0] ?? {};
  });
}
