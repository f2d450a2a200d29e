import { useSearchParams } from "react-router";
import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { withTimeout } from "#app/features/session/with-timeout.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import type { Finding, OperationReport } from "#domain/operation/operation-report.ts";
import { Figures } from "./figures.tsx";

const READ_EVERY = 15_000;

/** The site's state and problems, for admins who operate it (P170). */
export default function OperationPanel() {
  // Hidden behind another tab, the panel need not refetch.
  const isShown = useSearchParams()[0].get("tab") === "operation";
  const read = useRead(
    ["user_roles", "operation"],
    readOperation,
    isShown ? { refetchInterval: READ_EVERY } : {},
  );
  return (
    <ReadState read={read} what="The report">
      {(report) => (
        <div className="grid grid-cols-1 gap-5">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-muted">
              {read.isError ? `${read.error.message}. Last report: ` : "As of "}
              <Moment at={report.at} />
            </p>
            <Button disabled={read.isFetching} onClick={() => void read.refetch()}>
              Refresh
            </Button>
          </div>
          <SectionCard title="Problems">
            <Findings findings={report.findings} />
          </SectionCard>
          <Figures report={report} />
        </div>
      )}
    </ReadState>
  );
}

/** Problems, grave ones first; each says what to do and where it is documented. */
function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return <p>No problems found: everything responds, and the setup is sound.</p>;
  return (
    <ul className="grid gap-4" aria-label="Problems">
      {findings.map(({ id, isGrave, title, todo, heading }) => (
        <li key={id} className="grid justify-items-start gap-1 break-words">
          <Badge tone={isGrave ? "fall" : "neutral"}>{isGrave ? "Fix soon" : "Consider"}</Badge>
          <h3 className="font-semibold">{title}</h3>
          <p>{todo}</p>
          <p className="text-muted text-sm">{`In docs/operations.md: ${heading}`}</p>
        </li>
      ))}
    </ul>
  );
}

/** The site's state, as its server reports it to admins. @throws if it does not respond, or refuses this user */
async function readOperation(client: SessionClient): Promise<OperationReport> {
  const { data } = await client.auth.getSession();
  const answer = await withTimeout(fetch)("/operator-report", {
    headers: { authorization: `Bearer ${data.session?.access_token}` },
    cache: "no-store",
  }).catch((cause) => {
    throw new Error("The server does not respond", { cause });
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return answer.json();
}
