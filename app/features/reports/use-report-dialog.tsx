import { type ReactNode, useState } from "react";
import { showError } from "#app/ui/toast/toast-store.ts";
import type { ReportDialog, ShownTarget } from "./report-dialog.tsx";

/** The dialog, whose code is loaded with the first report, and the function that opens it. */
export function useReportDialog(): { dialog: ReactNode; report(target: ShownTarget): void } {
  const [target, setTarget] = useState<ShownTarget | null>(null);
  const [Loaded, setLoaded] = useState<typeof ReportDialog | null>(null);

  async function open(wanted: ShownTarget) {
    try {
      const loaded = await import("./report-dialog.tsx");
      setLoaded(() => loaded.ReportDialog);
      setTarget(wanted);
    } catch {
      showError("The form couldn’t be loaded. Check your connection and try again.");
    }
  }

  const dialog = Loaded && <Loaded target={target} onClose={() => setTarget(null)} />;
  return { dialog, report: (wanted) => void open(wanted) };
}
