import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { Sample, Samples } from "./sample.tsx";

/** Notices and empty states. */
export function NoticeSamples() {
  const [open, setOpen] = useState(false);
  return (
    <Samples title="Notices">
      <Sample of="Toast, Dialog">
        <Button onClick={() => showToast({ title: "Success", description: "Trade saved to history" })}>
          Success
        </Button>
        <Button
          onClick={() =>
            showToast({ title: "Error", description: "Failed to save trade", variant: "destructive" })
          }
        >
          Destructive
        </Button>
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <Dialog open={open} onClose={() => setOpen(false)} title="Select Item" size="wide">
          {Array.from({ length: 30 }, (_, line) => `Line ${line + 1} of a long list`).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Dialog>
      </Sample>
      <div className="grid gap-4 md:grid-cols-3">
        <Card>
          <EmptyState title="No items found">Try another name or category.</EmptyState>
        </Card>
        <Card>
          <ErrorState />
        </Card>
        <Card className="grid content-start gap-3">
          <Skeleton className="h-32" />
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-1/2" />
        </Card>
      </div>
    </Samples>
  );
}
