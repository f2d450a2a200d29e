import type { SessionClient } from "#app/features/session/session-client.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";

/** Reports in one read; more than anybody handles in one go. */
const MOST = 200;
/** Handled ones that can be looked up. */
const MOST_HANDLED = 50;
/** Messages shown on each side of a reported one. */
const AROUND = 5;

const COLUMNS = `id, message_id, message, reason, created_at, sent_at, resolved_at, reported_user_id,
  reported:profiles!chat_reports_reported_user_id_fkey(username),
  reporter:profiles!chat_reports_reporter_id_fkey(username)` as const;

/** Reports that wait for an admin, newest first. @throws the service's error */
export async function readOpenReports(client: SessionClient) {
  const { data } = await client
    .from("chat_reports")
    .select(COLUMNS)
    .is("resolved_at", null)
    .order("created_at", { ascending: false })
    .limit(MOST)
    .throwOnError();
  return data;
}

/** Reports that were handled, the latest first. @throws the service's error */
export async function readHandledReports(client: SessionClient) {
  const { data } = await client
    .from("chat_reports")
    .select(COLUMNS)
    .not("resolved_at", "is", null)
    .order("resolved_at", { ascending: false })
    .limit(MOST_HANDLED)
    .throwOnError();
  return data;
}

export type Report = Awaited<ReturnType<typeof readOpenReports>>[number];

/** How many reports wait for an admin. @throws the service's error */
export async function countOpenReports(client: SessionClient): Promise<number> {
  const { count } = await client
    .from("chat_reports")
    .select("id", { count: "exact", head: true })
    .is("resolved_at", null)
    .throwOnError();
  return count ?? 0;
}

/** Closes reports, or opens them again. */
export async function resolveReports(
  client: SessionClient,
  ids: string[],
  isResolved: boolean,
): Promise<void> {
  const resolved_at = isResolved ? new Date().toISOString() : null;
  const { data, error } = await client
    .from("chat_reports")
    .update({ resolved_at })
    .in("id", ids)
    .select("id");
  requireRow({ data: data?.[0] ?? null, error }, "report");
}

/** Takes a message from the chat for everybody; its reports keep what it said. */
export async function deleteMessage(client: SessionClient, id: string): Promise<void> {
  const deleting = client.from("chat_messages").delete().eq("id", id);
  requireRow(await deleting.select("id").maybeSingle(), "message");
}

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
