import type { SupabaseClient, User } from "@supabase/supabase-js";
import type { Database } from "#supabase/database.types.ts";

type Client = SupabaseClient<Database>;

/** Every table that holds something of a person, and the column that says whose it is. */
const OWN_ROWS = {
  profile: ["profiles", "id"],
  roles: ["user_roles", "user_id"],
  saved_trades: ["trade_history", "user_id"],
  ratings_given: ["user_ratings", "rater_id"],
  ratings_received: ["user_ratings", "rated_user_id"],
  chat_messages: ["chat_messages", "user_id"],
  chat_mutes: ["chat_mutes", "user_id"],
  chat_reports: ["chat_reports", "reporter_id"],
  chat_silence: ["chat_silences", "user_id"],
} as const;

/** Rows in one read; a hosted backend gives no more at once. */
const PAGE = 1000;

/**
 * All that is stored about a person, ready to be written as JSON. Passwords and second factors' secrets are not in it:
 * nobody can read them.
 * @throws the first read's error, so that nobody takes a part for the whole
 */
export async function collectOwnData(client: Client): Promise<Record<string, unknown>> {
  const { data, error } = await client.auth.getUser();
  if (error) throw error;
  const rows = await Promise.all(
    Object.entries(OWN_ROWS).map(async ([name, [table, owner]]) => [
      name,
      await readAll(client, table, owner, data.user.id),
    ]),
  );
  return {
    exported_at: new Date().toISOString(),
    account: describeAccount(data.user),
    passkeys: await listPasskeys(client),
    ...Object.fromEntries(rows),
  };
}

/** None where the service has them switched off. */
async function listPasskeys(client: Client): Promise<unknown[]> {
  const { data, error } = await client.auth.passkey.list();
  if (error && error.code !== "passkey_disabled") throw error;
  return data ?? [];
}

async function readAll(
  client: Client,
  table: keyof Database["public"]["Tables"],
  owner: string,
  userId: string,
) {
  const rows: unknown[] = [];
  for (let isFull = true; isFull; ) {
    const { data, error } = await client
      .from(table)
      .select("*")
      .filter(owner, "eq", userId)
      .order("created_at")
      .range(rows.length, rows.length + PAGE - 1);
    if (error) throw error;
    rows.push(...data);
    isFull = data.length === PAGE;
  }
  return rows;
}

function describeAccount({ id, email, created_at, last_sign_in_at, user_metadata, factors }: User) {
  return { id, email, created_at, last_sign_in_at, user_metadata, second_factors: factors ?? [] };
}
