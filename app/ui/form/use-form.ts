import { type FormEvent, useRef, useState } from "react";
import { dismissFailure, showError } from "#app/ui/toast/toast-store.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Faults } from "./form.tsx";
import type { FormValues, FormWork } from "./submit-form.ts";

/** What checks and sends a form is no part of a first view: it is loaded when somebody begins to fill one in. */
const loadSubmit = () => import("./submit-form.ts");

/**
 * A form that is checked first, then sent, once at a time. What is wrong stands at its field, the first of which gets
 * the focus; what was typed stays whenever it was not saved. Spread `form` on `Form` and `button` on its button, which
 * does nothing before the scripts run, so that the browser never posts a password by itself.
 */
export function useForm<Input = FormValues, Answer = unknown>(work: FormWork<Input, Answer>) {
  const hydrated = useHydrated();
  const [faults, setFaults] = useState<Faults>(work.initialFaults ?? {});
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // A dialog in a form is a part of it for React, not for the browser.
    event.stopPropagation();
    if (isRunning.current) return;
    isRunning.current = true;
    const form = event.currentTarget;
    const values = work.values ?? Object.fromEntries(new FormData(form));
    dismissFailure();
    await loadSubmit()
      .then(({ submitForm }) => submitForm(work, { form, values, setFaults, setBusy }))
      .catch(() => showError(UNCHECKED));
    isRunning.current = false;
    setBusy(false);
  }

  /** Removes a field's sentence while it is being corrected. */
  function onInput({ target }: FormEvent<HTMLFormElement>): void {
    const { name } = target as HTMLInputElement;
    if (faults[name]) setFaults(({ [name]: _, ...others }) => others);
  }

  const onFocus = () => void loadSubmit().catch(() => undefined);
  const form = { onSubmit, onInput, onFocus, faults, method: "post", noValidate: true } as const;
  const button = { type: hydrated ? "submit" : "button", "aria-disabled": isBusy } as const;
  return { form, button, isBusy, setFaults };
}

const UNCHECKED =
  "We couldn’t check what you wrote because the connection seems to be down. Nothing is lost.";
