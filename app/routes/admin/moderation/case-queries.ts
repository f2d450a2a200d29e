import type { SessionClient } from "#app/features/session/session-client.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { GRAVE_CODES } from "#domain/moderation/report-code.ts";

/** Reports per read; more than anyone handles at once. */
const MOST = 200;
/** How many handled ones can be looked up. */
const MOST_HANDLED = 50;

const COLUMNS =
  `id, kind, code, subject_id, message_id, evidence, reason, created_at, sent_at, resolved_at, reported_user_id,
  reported:profiles!reports_reported_user_id_fkey(username, avatar_url),
  reporter:profiles!reports_reporter_id_fkey(id, username)` as const;

/**
 * Reports by state. Of the open ones, first those after which a child may be in danger, which no number of others can
 * crowd out, and each kind oldest first, so that new ones move nothing; of the handled ones the latest first.
 * @throws the service's error
 */
export async function readReports(client: SessionClient, state: "open" | "handled") {
  const reports = () => client.from("reports").select(COLUMNS);
  const open = () => reports().is("resolved_at", null).order("created_at").limit(MOST);
  const handled = () =>
    reports().not("resolved_at", "is", null).order("resolved_at", { ascending: false }).limit(MOST_HANDLED);
  const wanted =
    state === "open" ? [open().in("code", GRAVE_CODES), open().notIn("code", GRAVE_CODES)] : [handled()];
  const read = await Promise.all(wanted.map((each) => each.throwOnError()));
  return read.flatMap(({ data }) => data);
}
export type Report = Awaited<ReturnType<typeof readReports>>[number];

/** What a message said before words of it were hidden; null if none were, or it is no longer kept. @throws the service's error */
export async function readOriginal(client: SessionClient, messageId: string): Promise<string | null> {
  const originals = client.from("chat_originals").select("message").eq("message_id", messageId);
  return (await originals.maybeSingle().throwOnError()).data?.message ?? null;
}

/** The number of reports and appeals that wait for a moderator. @throws the service's error */
export async function countOpenReports(client: SessionClient): Promise<number> {
  const [reports, appeals] = await Promise.all([
    client
      .from("reports")
      .select("id", { count: "exact", head: true })
      .is("resolved_at", null)
      .throwOnError(),
    client
      .from("appeals")
      .select("sanction_id", { count: "exact", head: true })
      .is("answered_at", null)
      .throwOnError(),
  ]);
  return (reports.count ?? 0) + (appeals.count ?? 0);
}

/**
 * Dismisses open reports, or reopens resolved ones; those that somebody else decided on meanwhile stay as they are. If they
 * are open already, as by an attempt whose answer was lost, that counts.
 */
export async function resolveReports(
  client: SessionClient,
  ids: string[],
  isResolved: boolean,
): Promise<void> {
  const resolved_at = isResolved ? new Date().toISOString() : null;
  const resolving = client.from("reports").update({ resolved_at }).in("id", ids);
  const meant = isResolved ? resolving.is("resolved_at", null) : resolving.not("resolved_at", "is", null);
  const { data, error } = await meant.select("id");
  if (data?.length === 0 && !isResolved) {
    const open = client.from("reports").select("id").in("id", ids).is("resolved_at", null);
    if ((await open.throwOnError()).data.length > 0) return;
  }
  requireRow({ data: data?.[0] ?? null, error }, "report");
}

/** A user by name, ignoring case; null if nobody has it. @throws the service's error */
export async function findPerson(client: SessionClient, username: string) {
  // An underscore matches any character in a pattern.
  const pattern = username.replaceAll("_", "\\_");
  const { data } = await client
    .from("profiles")
    .select("id, username, avatar_url")
    .ilike("username", pattern)
    .maybeSingle()
    .throwOnError();
  return data;
}
