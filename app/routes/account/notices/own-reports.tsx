import { DateText } from "#app/features/items/date-text.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import type { ReportKind } from "#domain/moderation/report-code.ts";

const REPORTED: Record<ReportKind, string> = {
  message: "A message",
  name: "A username",
  picture: "A picture",
  rating: "A rating",
  answer: "An answer",
};

/** The user's reports and their outcome; never by whom, nor what exactly was done. */
export function OwnReports() {
  const { data: reports, isError } = useRead(["reports", "own"], readOwnReports, {
    refetchInterval: 30_000,
  });
  if (isError && !reports) return <p role="alert">Your reports can't be loaded right now.</p>;
  if (!reports) return <p className="text-muted">Loading your reports…</p>;
  if (reports.length === 0) return <p className="text-muted">You haven’t reported anything.</p>;
  return (
    <ul className="divide-y divide-line" aria-label="Your reports">
      {reports.map((report) => (
        <ReportRow key={report.id} report={report} />
      ))}
    </ul>
  );
}

function ReportRow({ report }: { report: OwnReport }) {
  const { kind, evidence, created_at } = report;
  const [tone, words] = describeOutcome(report);
  return (
    <li className="grid gap-1 py-2.5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">{REPORTED[kind as ReportKind] ?? "Something"}</span>
        <span className="text-muted text-sm">
          <DateText date={created_at} />
        </span>
        <Badge tone={tone} className="ml-auto">
          {words}
        </Badge>
      </p>
      {kind !== "picture" && <p className="text-muted text-sm wrap-anywhere">{evidence}</p>}
    </li>
  );
}

function describeOutcome({ resolved_at, outcome }: OwnReport): [BadgeTone, string] {
  if (resolved_at === null) return ["neutral", "Not looked at yet"];
  if (outcome === "acted") return ["accent", "Looked at: we did something about it"];
  return ["neutral", "Looked at: within the rules"];
}

/** The user's reports, latest first. @throws the service's error */
async function readOwnReports(client: SessionClient) {
  return (await client.rpc("list_own_reports").limit(20).throwOnError()).data;
}

type OwnReport = Awaited<ReturnType<typeof readOwnReports>>[number];
