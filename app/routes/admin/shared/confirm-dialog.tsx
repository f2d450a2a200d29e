import type { ReactNode } from "react";
import { Dialog, focusOnOpen } from "#app/ui/dialog.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";

type ConfirmDialogProps = {
  open: boolean;
  /** A question, such as `Delete the category Tokens?`. */
  title: string;
  /** The label of the confirming button. */
  confirm: string;
  isBusy?: boolean;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
};

/** Asks before something that cannot be undone; Cancel has focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, confirm, isBusy, onConfirm, onClose, children } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="grid gap-5">
        <div className="text-muted">{children}</div>
        <FormActions
          button={{ disabled: isBusy, onClick: onConfirm }}
          label={confirm}
          variant="danger"
          onCancel={onClose}
          cancelRef={focusOnOpen}
        />
      </div>
    </Dialog>
  );
}
