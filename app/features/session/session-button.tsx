import type { ReactNode } from "react";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import type { FormValues } from "#app/ui/form/submit-form.ts";
import { type SessionWork, useSessionForm } from "./use-session-form.ts";

type SessionButtonProps<Answer> = ButtonProps &
  Pick<SessionWork<FormValues, Answer>, "send" | "done" | "failed"> & {
    icon?: ReactNode;
    /** Replaces the label while it is sent. */
    busy?: string;
    /** The form's layout. */
    formClass?: string;
  };

/** A form of a single button: what one press does as the current user. */
export function SessionButton<Answer>(props: SessionButtonProps<Answer>) {
  const { send, done, failed, icon, busy, formClass, children, ...look } = props;
  const { form, button, isBusy } = useSessionForm<FormValues, Answer>({ send, done, failed });
  return (
    <Form {...form} className={formClass}>
      <Button {...look} {...button}>
        {icon}
        {(isBusy && busy) || children}
      </Button>
    </Form>
  );
}
