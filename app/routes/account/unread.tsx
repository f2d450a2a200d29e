import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

type UnreadProps = { what: string; state: "reading" | "failed"; readAgain(): unknown };

/** What stands for a list that is read, or that could not be. */
export function Unread({ what, state, readAgain }: UnreadProps) {
  if (state === "reading") {
    return (
      <div role="status" aria-label={`Loading your ${what}`}>
        <Skeleton className="h-12" />
      </div>
    );
  }
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>Your {what} can’t be loaded right now.</p>
      <Button size="sm" onClick={readAgain}>
        Try again
      </Button>
    </div>
  );
}
