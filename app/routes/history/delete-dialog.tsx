import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { useForm } from "#app/ui/form/use-form.ts";
import { formatDateTime } from "#domain/text/dates.ts";
import type { SavedTrade } from "./saved-trade.ts";

type DeleteDialogProps = {
  /** The trade in question; null while nothing is asked. */
  trade: SavedTrade | null;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** Asks before a trade goes: it cannot be brought back, since its values are those of another day. */
export function DeleteDialog({ trade, onConfirm, onClose }: DeleteDialogProps) {
  return (
    <Dialog open={trade !== null} onClose={onClose} title="Delete this trade?">
      {trade && <Question trade={trade} onConfirm={onConfirm} onClose={onClose} />}
    </Dialog>
  );
}

function Question({ trade, onConfirm, onClose }: DeleteDialogProps & { trade: SavedTrade }) {
  const { form, button } = useForm({ send: onConfirm });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Form {...form} className="grid gap-5">
      <p>
        <strong>{trade.partner || "Trade Calculation"}</strong> of {formatDateTime(trade.savedAt, timeZone)}{" "}
        will be gone for good. Its saved values can’t be brought back.
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Keep it</Button>
        <Button {...button} variant="danger">
          Delete trade
        </Button>
      </div>
    </Form>
  );
}
