import { type ReactNode, useState } from "react";
import { Button } from "#app/ui/button.tsx";

type RetryNoticeProps = {
  /** What could not be loaded, as a sentence. */
  children: ReactNode;
  onRetry(): Promise<unknown>;
};

/** A part of a page that could not be loaded, with a button that tries again without a reload of the page. */
export function RetryNotice({ children, onRetry }: RetryNoticeProps) {
  const [isBusy, setBusy] = useState(false);
  async function retry() {
    setBusy(true);
    await onRetry();
    setBusy(false);
  }
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>{children}</p>
      <Button size="sm" aria-disabled={isBusy} onClick={() => isBusy || void retry()}>
        {isBusy ? "Trying…" : "Try again"}
      </Button>
    </div>
  );
}
