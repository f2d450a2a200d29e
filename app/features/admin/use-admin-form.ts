import { type FormEvent, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { showToast } from "#app/ui/toast-store.ts";
import { useAct } from "./use-act.ts";

/** What is wrong, by the name of the field. */
export type Faults = Record<string, string>;

/** What the form's texts stand for, or what is wrong with them. */
export type FormReading<T> = { input: T } | { faults: Faults };

type FormWork<T> = {
  read(form: FormData): FormReading<T>;
  /** Saves; throws the service's error. */
  save(client: SessionClient, input: T): PromiseLike<void>;
  /** The service's refusals that belong to a field, such as a slug that exists already. */
  placeError?(error: { code?: string; message: string }): Faults | null;
  done(input: T, form: HTMLFormElement): void;
  /** What follows when it was not saved; that is said already. */
  failed?(): void;
};

/**
 * A form of the admin area: checked first, under 'Validation Error' and at each field; then saved, once at a time. What
 * was typed stays whenever it was not saved.
 */
export function useAdminForm<T>({ read, save, placeError, done, failed }: FormWork<T>) {
  const { isBusy, act } = useAct();
  const [faults, setFaults] = useState<Faults>({});

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const reading = read(new FormData(form));
    setFaults("faults" in reading ? reading.faults : {});
    if ("faults" in reading) return refuse(form, reading.faults);
    const saved = await act(async (client) => {
      await Promise.resolve(save(client, reading.input)).catch((error) => {
        const placed = placeError?.(error);
        if (!placed) throw error;
        setFaults(placed);
        focusFirst(form, placed);
        throw { ...error, message: Object.values(placed)[0] };
      });
    });
    if (saved) done(reading.input, form);
    else failed?.();
  }

  /** Takes a field's sentence away while it is being corrected. */
  function onInput({ target }: FormEvent<HTMLFormElement>): void {
    const { name } = target as HTMLInputElement;
    if (faults[name]) setFaults(({ [name]: _, ...others }) => others);
  }

  return { form: { onSubmit, onInput, noValidate: true, method: "post" } as const, faults, isBusy };
}

function refuse(form: HTMLFormElement, faults: Faults): void {
  focusFirst(form, faults);
  showToast({ title: "Validation Error", description: Object.values(faults)[0], variant: "destructive" });
}

function focusFirst(form: HTMLFormElement, faults: Faults): void {
  const fields = [...form.elements] as HTMLInputElement[];
  fields.find(({ name }) => faults[name])?.focus();
}
