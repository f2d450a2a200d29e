import type { Ref } from "react";
import { Button, type ButtonProps, type ButtonVariant } from "#app/ui/button.tsx";

type FormActionsProps = {
  /** What `useForm` gives for the button. */
  button: ButtonProps;
  label: string;
  /** `danger` for what cannot be undone. */
  variant?: ButtonVariant;
  onCancel(): void;
  cancel?: string;
  /** Where the way back has the focus. */
  cancelRef?: Ref<HTMLButtonElement>;
};

/** The foot of a form in a dialog: the way back, then what it does. */
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
