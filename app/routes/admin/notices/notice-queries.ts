import type { SessionClient } from "#app/features/session/session-client.ts";

const SHOWN = 30;

/** The latest news for this user, newest first. @throws the service's error */
export async function readNotices(client: SessionClient) {
  const { data } = await client
    .from("editor_notices")
    .select("id, kind, count, items, created_at")
    .order("id", { ascending: false })
    .limit(SHOWN)
    .throwOnError();
  return data;
}

/** @throws the service's error */
export async function readOwnMails(client: SessionClient, userId: string): Promise<{ isOn: boolean }> {
  const { data } = await client
    .from("notice_mails")
    .select("user_id")
    .eq("user_id", userId)
    .maybeSingle()
    .throwOnError();
  return { isOn: data !== null };
}

/** Turns news by email on or off. @throws the service's error */
export async function saveOwnMails(client: SessionClient, userId: string, isOn: boolean): Promise<void> {
  const mails = client.from("notice_mails");
  if (!isOn) return void (await mails.delete().eq("user_id", userId).throwOnError());
  const { error } = await mails.insert({ user_id: userId });
  // Another tab turned it on already.
  if (error && error.code !== "23505") throw error;
}
