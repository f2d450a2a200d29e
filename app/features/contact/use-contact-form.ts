import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { showToast } from "#app/ui/toast-store.ts";
import { CONTACT_FIELDS, type ContactField } from "./contact-fields.ts";
import type { ContactErrors } from "./contact-input.ts";
import type { ContactResult } from "./contact-result.ts";

type Typed = Record<ContactField, string>;

const EMPTY: Typed = { name: "", email: "", subject: "", message: "" };

/** The check weighs more than the form, so it comes when somebody begins to write. */
const loadCheck = () => import("./contact-input.ts");

/**
 * The state of the contact form. `result` is the server's answer to the last message, and `send` hands a valid form to
 * the server; without `send` messages stay here and a valid form is answered at once.
 */
export function useContactForm(
  result: ContactResult | undefined,
  send: ((form: HTMLFormElement) => void) | null,
) {
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
    if (errors[field])
      void recheck(form.current, field).then((error) => setErrors((now) => ({ ...now, [field]: error })));
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const check = await loadCheck().catch(() => null);
    if (!check) return showToast(UNCHECKED);
    const input = check.parseContactForm(new FormData(form));
    setErrors(input.ok ? {} : input.errors);
    if (!input.ok) return focusFirst(form, input.errors);
    if (send) return send(form);
    setTyped(EMPTY);
    showToast({
      title: "Message Sent!",
      description: "It was a rehearsal: your words stayed in this browser.",
    });
  }

  return { form, typed, errors, change, submit };
}

const UNCHECKED = {
  title: "Error",
  description:
    "The message could not be checked: the connection seems to be lost. Nothing you wrote is gone.",
  variant: "destructive",
} as const;

function showFailure(result: ContactResult) {
  if (result.problem) showToast({ title: "Error", description: result.problem, variant: "destructive" });
}

function textsOf(data: FormData): Typed {
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, String(data.get(field) ?? "")])) as Typed;
}

/** While a refused field is being corrected, its sentence goes as soon as it is right. */
async function recheck(form: HTMLFormElement | null, field: ContactField): Promise<string | undefined> {
  const { parseContactForm } = await loadCheck();
  const input = form && parseContactForm(new FormData(form));
  return input?.ok === false ? input.errors[field] : undefined;
}

function focusFirst(form: HTMLFormElement, errors: ContactErrors) {
  const first = CONTACT_FIELDS.find((field) => errors[field]);
  if (first) (form.elements.namedItem(first) as HTMLElement | null)?.focus();
}
