import type { Report } from "./report-queries.ts";

/** A message with all reports of it, as an admin judges it. */
export type ReportedMessage = {
  key: string;
  /** Null when it is deleted meanwhile. */
  messageId: string | null;
  message: string;
  userId: string | null;
  username: string;
  sentAt: string | null;
  reports: Report[];
};

/** One entry for each message, in the order of their first report in the list. */
export function groupReports(reports: readonly Report[]): ReportedMessage[] {
  const groups = new Map<string, ReportedMessage>();
  for (const report of reports) {
    // What is deleted has no id any more; who wrote it and when stays.
    const key = `${report.reported_user_id} ${report.sent_at ?? report.id}`;
    const group = groups.get(key) ?? startGroup(key, report);
    group.reports.push(report);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function startGroup(
  key: string,
  { message_id, message, reported_user_id, reported, sent_at }: Report,
): ReportedMessage {
  return {
    key,
    messageId: message_id,
    message,
    userId: reported_user_id,
    username: reported?.username ?? "Somebody whose account is gone",
    sentAt: sent_at,
    reports: [],
  };
}
