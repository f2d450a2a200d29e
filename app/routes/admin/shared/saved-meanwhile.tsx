import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";

type SavedMeanwhileProps = {
  /** What is edited, such as `category`. */
  what: string;
  onTake(): void;
  onKeep(): void;
  /** The stored state. */
  children: ReactNode;
};

/** Says that what is being edited was saved elsewhere; the user chooses which version counts before saving. */
export function SavedMeanwhile({ what, onTake, onKeep, children }: SavedMeanwhileProps) {
  return (
    <div role="alert" className="grid gap-3 rounded-md border-focus border-l-4 bg-sunken px-4 py-3">
      <p className="font-semibold">
        This {what} was saved in the meantime, by another admin or in another window.
      </p>
      <div>{children}</div>
      <div className="flex flex-wrap gap-3">
        <Button size="sm" onClick={onTake}>
          Take theirs
        </Button>
        <Button size="sm" onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}
