import { Dialog } from "#app/ui/dialog.tsx";
import { REPORT_KINDS } from "#domain/moderation/report-code.ts";
import { ReportForm } from "./report-form.tsx";
import type { ReportTarget } from "./submit-report.ts";

/** Reported content and its text; null if it is a picture. */
export type ShownTarget = ReportTarget & { text: string | null };

/** Asks what is wrong with someone's content. */
export function ReportDialog({ target, onClose }: { target: ShownTarget | null; onClose(): void }) {
  return (
    <Dialog
      open={target !== null}
      onClose={onClose}
      title={target ? `Report ${REPORT_KINDS[target.kind]}` : ""}
    >
      {target && (
        <ReportForm
          target={target}
          onClose={onClose}
          quote={target.text && <blockquote className="wrap-anywhere">{target.text}</blockquote>}
        />
      )}
    </Dialog>
  );
}
