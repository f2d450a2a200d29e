import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

type ConfirmDialogProps = {
  open: boolean;
  /** A question, such as `Delete the category Tokens?`. */
  title: string;
  /** The word of the button that does it. */
  confirm: string;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
};

/** Asks before what cannot be undone; the way back has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, confirm, isBusy, onConfirm, onClose, children } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="grid gap-5">
        <div className="text-muted">{children}</div>
        <div className="flex flex-wrap justify-end gap-3">
          <Button ref={markFocus} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" disabled={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The dialog focuses what has the attribute when it opens; React would focus by itself, too early. */
export function markFocus(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}
