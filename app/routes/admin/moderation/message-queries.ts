import type { SessionClient } from "#app/features/session/session-client.ts";

/** Messages shown on each side of a reported one. */
const AROUND = 5;

/**
 * What was said around a moment, oldest first, without that moment; also what was deleted in the last day.
 * @throws the service's error
 */
export async function readMessagesAround(client: SessionClient, sentAt: string) {
  const [there, deleted] = await Promise.all([
    readAround(client, "chat_messages", sentAt),
    readAround(client, "deleted_chat_messages", sentAt),
  ]);
  const merge = (side: "before" | "after") =>
    [
      ...there[side].map((line) => ({ ...line, isDeleted: false })),
      ...deleted[side].map((line) => ({ ...line, isDeleted: true })),
    ].sort((a, b) => a.created_at.localeCompare(b.created_at));
  return { before: merge("before").slice(-AROUND), after: merge("after").slice(0, AROUND) };
}

async function readAround(
  client: SessionClient,
  table: "chat_messages" | "deleted_chat_messages",
  sentAt: string,
) {
  const messages = () => client.from(table).select("id, username, message, created_at").limit(AROUND);
  const [before, after] = await Promise.all([
    messages().lt("created_at", sentAt).order("created_at", { ascending: false }).throwOnError(),
    messages().gt("created_at", sentAt).order("created_at").throwOnError(),
  ]);
  return { before: before.data, after: after.data };
}
