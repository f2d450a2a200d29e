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

/** @throws what the service answered */
export async function readOwnMails(client: SessionClient, userId: string): Promise<{ isOn: boolean }> {
  const { data } = await client
    .from("notice_mails")
    .select("user_id")
    .eq("user_id", userId)
    .maybeSingle()
    .throwOnError();
  return { isOn: data !== null };
}

/** Asks for news by mail, or ends it. @throws what the service answered */
export async function saveOwnMails(client: SessionClient, userId: string, isOn: boolean): Promise<void> {
  const mails = client.from("notice_mails");
  if (!isOn) return void (await mails.delete().eq("user_id", userId).throwOnError());
  const { error } = await mails.insert({ user_id: userId });
  // Another tab asked for it already.
  if (error && error.code !== "23505") throw error;
}
