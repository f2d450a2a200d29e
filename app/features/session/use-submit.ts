import { type FormEvent, useState } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { openSession } from "./open-session.ts";
import type { SessionClient } from "./session-client.ts";
import { dismissFailure, showFailure, showInvalidInput } from "./show-failure.ts";

/** What a form holds by the names of its fields, untrimmed. */
export type Texts = Record<string, string>;

/** The texts as they are sent, or what is wrong with them and where. */
export type Reading<T> = { input: T } | { field: string; message: string };

type Answer = { error: { message: string } | null };

type Work<T, A extends Answer> = {
  read(texts: Texts): Reading<T>;
  /** Talks to the backend; the answer's error is shown. */
  send(client: SessionClient, input: T): PromiseLike<A>;
  /** What follows when there was none. */
  done?(answer: A, input: T, form: HTMLFormElement): void;
};

/**
 * A form that talks to the backend as the person who uses this browser. It is checked first, under 'Invalid input' and
 * without a request; it is sent once at a time. Before the scripts run its button does nothing, so that the browser
 * never posts a password by itself.
 */
export function useSubmit<T, A extends Answer>({ read, send, done }: Work<T, A>) {
  const site = useSiteConfig();
  const [isBusy, setBusy] = useState(false);
  const hydrated = useHydrated();

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const result = read(textsOf(form));
    if ("field" in result) return refuse(form, result);
    if (isBusy) return;
    dismissFailure();
    setBusy(true);
    try {
      const answer = await send(await openSession(site), result.input);
      if (answer.error) showFailure(answer.error);
      else done?.(answer, result.input, form);
    } catch (error) {
      showFailure(error as Error);
    } finally {
      setBusy(false);
    }
  }

  const form = { onSubmit, method: "post", noValidate: true } as const;
  const button = { type: hydrated ? "submit" : "button", disabled: isBusy } as const;
  return { form, button };
}

function textsOf(form: HTMLFormElement): Texts {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

function refuse(form: HTMLFormElement, { field, message }: { field: string; message: string }): void {
  (form.elements.namedItem(field) as HTMLElement | null)?.focus();
  showInvalidInput(message);
}
