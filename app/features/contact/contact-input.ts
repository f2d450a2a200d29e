import * as v from "valibot";
import { type ContactMessage, contactSchema } from "#domain/contact.ts";
import { CONTACT_FIELDS, type ContactField } from "./contact-fields.ts";

/** The sentence at each field that was refused. */
export type ContactErrors = Partial<Record<ContactField, string>>;

/** What was typed, checked: a message to send, or the errors and the texts to show again. */
export type ContactInput =
  | { ok: true; message: ContactMessage }
  | { ok: false; errors: ContactErrors; typed: Record<ContactField, string> };

/** Checks the form's fields by the rules of specification §5, the same in the browser and on the server. */
export function parseContactForm(form: FormData): ContactInput {
  const typed = Object.fromEntries(CONTACT_FIELDS.map((field) => [field, textOf(form.get(field))]));
  const result = v.safeParse(contactSchema, typed);
  if (result.success) return { ok: true, message: result.output };
  const { nested = {} } = v.flatten<typeof contactSchema>(result.issues);
  const errors = Object.fromEntries(Object.entries(nested).map(([field, [first]]) => [field, first]));
  return { ok: false, errors, typed: typed as Record<ContactField, string> };
}

/** A form's lines end in CR LF when it is posted; people type, count and store one character. */
function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}
