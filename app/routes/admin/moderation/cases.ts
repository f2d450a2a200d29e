import type { Report } from "./case-queries.ts";

export type CasePerson = { id: string; username: string; avatarUrl: string | null };

/** A user's content with all reports about it. */
export type Evidence = {
  key: string;
  kind: string;
  subjectId: string;
  /** Null if it was deleted meanwhile, or is not a message. */
  messageId: string | null;
  text: string;
  sentAt: string | null;
  reports: Report[];
};

/** All reports about one user; without reports, a user whom a moderator looked up. */
export type Case = { person: CasePerson; evidence: Evidence[] };

/** One case per user, in the order of their first report in the list. */
export function groupCases(reports: readonly Report[]): Case[] {
  const cases = new Map<string, Case>();
  for (const report of reports) {
    const { reported_user_id: id, reported } = report;
    // Reports about a deleted account are deleted with it.
    if (!id || !reported) continue;
    const of = cases.get(id) ?? {
      person: { id, username: reported.username, avatarUrl: reported.avatar_url },
      evidence: [],
    };
    cases.set(id, of);
    addReport(of, report);
  }
  return [...cases.values()];
}

function addReport({ evidence }: Case, report: Report): void {
  const { kind, subject_id, message_id, evidence: text, sent_at } = report;
  // A rating that was edited between two reports is shown as each of them saw it.
  const known = evidence.find(
    (each) => each.kind === kind && each.subjectId === subject_id && each.text === text,
  );
  if (known) return void known.reports.push(report);
  evidence.push({
    key: `${kind} ${subject_id} ${text}`,
    kind,
    subjectId: subject_id,
    messageId: message_id,
    text,
    sentAt: sent_at,
    reports: [report],
  });
}

const reportsOf = ({ evidence }: Case) => evidence.flatMap(({ reports }) => reports);

export function reportIdsOf(of: Case): string[] {
  return reportsOf(of).map(({ id }) => id);
}

export function openReportIdsOf(of: Case): string[] {
  return reportsOf(of).flatMap(({ id, resolved_at }) => (resolved_at === null ? [id] : []));
}

export function isHandled(of: Case): boolean {
  return openReportIdsOf(of).length === 0;
}
