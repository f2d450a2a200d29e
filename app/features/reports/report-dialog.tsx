import { Dialog } from "#app/ui/dialog.tsx";
import { REPORT_KINDS } from "#domain/moderation/report-code.ts";
import { ReportForm } from "./report-form.tsx";
import type { ReportTarget } from "./submit-report.ts";

/** Something of a person, and how it reads; null where it is a picture. */
export type ShownTarget = ReportTarget & { text: string | null };

type ReportDialogProps = { target: ShownTarget | null; onClose(): void };

/** Asks what is wrong with something of a person. */
export function ReportDialog({ target, onClose }: ReportDialogProps) {
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
