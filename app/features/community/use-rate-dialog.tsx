import { type ReactNode, useState } from "react";
import { showError } from "#app/ui/toast/toast-store.ts";
import type { RateDialog } from "./rate-dialog.tsx";
import type { RatedTrader } from "./submit-rating.ts";
import { useReadAgain } from "./use-read-again.ts";

/** The dialog, loaded when a trader is first rated, and what opens it. A rating reloads the page's data. */
export function useRateDialog(): { dialog: ReactNode; rate: (trader: RatedTrader) => void } {
  const [trader, setTrader] = useState<RatedTrader | null>(null);
  const [Loaded, setLoaded] = useState<typeof RateDialog | null>(null);
  const readAgain = useReadAgain();

  async function rate(wanted: RatedTrader) {
    try {
      const { RateDialog } = await import("./rate-dialog.tsx");
      setLoaded(() => RateDialog);
      setTrader(wanted);
    } catch {
      showError("The form couldn’t be loaded. Check your connection and try again.");
    }
  }

  const dialog = Loaded && <Loaded trader={trader} onClose={() => setTrader(null)} onRated={readAgain} />;
  return { dialog, rate };
}
