import { type FormEvent, useRef, useState } from "react";
import { dismissFailure, showError } from "#app/ui/toast/toast-store.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Faults } from "./form.tsx";
import type { FormValues, FormWork } from "./submit-form.ts";

/** Validation and sending are not part of the first view: they are loaded when someone begins to fill in a form. */
const loadSubmit = () => import("./submit-form.ts");

/**
 * A form that is validated, then sent, once at a time. Its fields take no change meanwhile, which would be lost with what
 * is saved. Errors are shown at their fields, the first of which is focused; what was typed stays unless it was saved.
 * Spread `form` on `Form` and `button` on its button, which is disabled until hydration, so that the browser never posts
 * a password by itself.
 */
export function useForm<Input = FormValues, Answer = unknown>(work: FormWork<Input, Answer>) {
  const hydrated = useHydrated();
  const [shown, setShown] = useState({ faults: work.initialFaults ?? {}, isTold: false });
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // For React, though not for the browser, a dialog inside a form is part of it.
    event.stopPropagation();
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    const form = event.currentTarget;
    const values = work.values ?? Object.fromEntries(new FormData(form));
    dismissFailure();
    await loadSubmit()
      .then(({ submitForm }) => submitForm(work, { form, values, setFaults }))
      .catch(() => showError(UNSENT));
    isRunning.current = false;
    setBusy(false);
  }

  /** Clears a field's error while it is being corrected. */
  function onInput({ target }: FormEvent<HTMLFormElement>): void {
    const { name } = target as HTMLInputElement;
    if (shown.faults[name]) setShown(({ faults: { [name]: _, ...faults }, isTold }) => ({ faults, isTold }));
  }

  const setFaults = (faults: Faults, isTold = false) => setShown({ faults, isTold });

  const onFocus = () => void loadSubmit().catch(() => undefined);
  const form = { onSubmit, onInput, onFocus, ...shown, isBusy, method: "post", noValidate: true } as const;
  const button = { type: hydrated ? "submit" : "button", "aria-disabled": isBusy } as const;
  return { form, button, isBusy, setFaults };
}

const UNSENT = "That didn’t work because the connection seems to be down. Nothing is lost.";
