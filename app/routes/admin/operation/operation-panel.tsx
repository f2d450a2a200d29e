import { useSearchParams } from "react-router";
import { useRead } from "#app/features/live/use-read.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Button } from "#app/ui/button.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { Figures } from "./figures.tsx";
import { Findings } from "./findings.tsx";
import { readOperation } from "./operation-queries.ts";

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
              {read.isError ? "The server does not respond. Last report: " : "As of "}
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
