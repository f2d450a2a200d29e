import type { Query, Run } from "#backend/postgres/database.ts";
import type { Named } from "../audit/recorded.ts";
import type { Client } from "../requests/call.ts";
import { startSession } from "../sessions/start-session.ts";

/** Starts a session that lasts no longer than the identity provider's own, if the provider said when that ends. */
export async function startSamlSession(
  [query, run]: [Query, Run],
  user: Named,
  client: Client,
  { provider, ends }: { provider: string; ends: string | null },
) {
  const started = await startSession(run, user, "sso/saml", client, [], provider);
  if (ends !== null)
    await query("update auth.sessions set not_after = $2 where id = $1", [started.session.id, ends]);
  return started;
}
