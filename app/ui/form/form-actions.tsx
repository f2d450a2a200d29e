import type { Ref } from "react";
import { Button, type ButtonProps, type ButtonVariant } from "#app/ui/button.tsx";

type FormActionsProps = {
  /** The button's props, from `useForm`. */
  button: ButtonProps;
  label: string;
  /** `danger` for what cannot be undone. */
  variant?: ButtonVariant;
  onCancel(): void;
  cancel?: string;
  /** For focusing the cancel button. */
  cancelRef?: Ref<HTMLButtonElement>;
};

/** The buttons of a form in a dialog: cancel, then submit. */
export function FormActions({
  button,
  label,
  variant = "primary",
  onCancel,
  cancel = "Cancel",
  cancelRef,
}: FormActionsProps) {
  return (
    <div className="form-actions">
      <Button ref={cancelRef} onClick={onCancel}>
        {cancel}
      </Button>
      <Button {...button} variant={variant}>
        {label}
      </Button>
    </div>
  );
}
