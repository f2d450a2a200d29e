import type { ReactNode } from "react";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

type UnreadProps = { what: string; state: "reading" | "failed"; readAgain(): Promise<unknown> };

/** Shown for a list that is loading or could not be loaded. */
export function Unread({ what, state, readAgain }: UnreadProps) {
  if (state === "reading") {
    return (
      <div role="status" aria-label={`Loading your ${what}`}>
        <Skeleton className="h-12" />
      </div>
    );
  }
  return <RetryNotice onRetry={readAgain}>Your {what} can’t be loaded right now.</RetryNotice>;
}

/** A row of such a list: its title, details below, and its actions at the end. */
export function OwnRow({ name, act, children }: { name: string; act: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold">{name}</p>
        <p className="text-muted text-sm">{children}</p>
      </div>
      {act}
    </li>
  );
}
