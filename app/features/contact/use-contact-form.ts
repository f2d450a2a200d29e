import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { showToast } from "#app/ui/toast-store.ts";
import { CONTACT_FIELDS, type ContactErrors, type ContactField, parseContactForm } from "./contact-input.ts";
import type { ContactResult } from "./contact-result.ts";

type Typed = Record<ContactField, string>;

const EMPTY: Typed = { name: "", email: "", subject: "", message: "" };

/**
 * The state of the contact form. `result` is the server's answer to the last message, absent where nothing is sent to
 * a server: then a valid form is answered here and at once.
 */
export function useContactForm(result: ContactResult | undefined, staysHere: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Typed>(result?.typed ?? EMPTY);
  const [errors, setErrors] = useState<ContactErrors>(result?.errors ?? {});

  // What was typed before the scripts came is kept.
  useEffect(() => {
    if (form.current) setTyped(textsOf(new FormData(form.current)));
  }, []);

  useEffect(() => {
    if (!result) return;
    setErrors(result.errors ?? {});
    if (result.typed) return showFailure(result);
    setTyped(EMPTY);
    showToast({ title: "Message Sent!", description: "Thank you. We will read it soon." });
  }, [result]);

  function change(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const field = event.target.name as ContactField;
    setTyped({ ...typed, [field]: event.target.value });
    if (errors[field]) setErrors({ ...errors, [field]: recheck(form.current, field) });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const input = parseContactForm(new FormData(event.currentTarget));
    setErrors(input.ok ? {} : input.errors);
    if (!input.ok) focusFirst(event.currentTarget, input.errors);
    if (!input.ok || staysHere) event.preventDefault();
    if (!input.ok || !staysHere) return;
    setTyped(EMPTY);
    showToast({
      title: "Message Sent!",
      description: "It was a rehearsal: your words stayed in this browser.",
    });
  }

  return { form, typed, errors, change, submit };
}

function showFailure(result: ContactResult) {
  if (result.problem) showToast({ title: "Error", description: result.problem, variant: "destructive" });
}

function textsOf(data: FormData): Typed {
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, String(data.get(field) ?? "")])) as Typed;
}

/** While a refused field is being corrected, its sentence goes as soon as it is right. */
function recheck(form: HTMLFormElement | null, field: ContactField): string | undefined {
  const input = form && parseContactForm(new FormData(form));
  return input?.ok === false ? input.errors[field] : undefined;
}

function focusFirst(form: HTMLFormElement, errors: ContactErrors) {
  const first = CONTACT_FIELDS.find((field) => errors[field]);
  if (first) (form.elements.namedItem(first) as HTMLElement | null)?.focus();
}
