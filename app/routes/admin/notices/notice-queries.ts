import type { SessionClient } from "#app/features/session/session-client.ts";

const SHOWN = 30;

/** The last news that this person may hear of, the newest first. @throws what the service answered */
export async function readNotices(client: SessionClient) {
  const { data } = await client
    .from("editor_notices")
    .select("id, kind, count, items, created_at")
    .order("id", { ascending: false })
    .limit(SHOWN)
    .throwOnError();
  return data;
}
