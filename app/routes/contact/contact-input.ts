import * as v from "valibot";
import { type ContactMessage, contactSchema } from "#domain/people/contact.ts";

export type ContactField = keyof ContactMessage;
type Typed = Record<ContactField, string>;

/** The message at each refused field. */
type ContactErrors = Partial<Typed>;

/** The server's response to a posted message. Without `typed` it was stored, and the form is empty again. */
export type ContactResult = {
  typed?: Typed;
  errors?: ContactErrors;
  /** Any other failure, as a sentence. */
  problem?: string;
};

/** Validated input: a message to send, or the errors and the texts to show again. */
export type ContactInput =
  | { ok: true; message: ContactMessage }
  | { ok: false; errors: ContactErrors; typed: Typed };

/** Forms submit line breaks as CR LF; users type, and we count and store, one character. */
const typedText = v.pipe(
  v.fallback(v.string(), ""),
  v.transform((text) => text.replaceAll("\r\n", "\n")),
);
const typedSchema = v.object({ name: typedText, email: typedText, subject: typedText, message: typedText });

/** The form's fields by the rules of 5.contact.01–05, the same in the browser and on the server. */
export const contactFormSchema = v.pipe(typedSchema, contactSchema);

export function parseContactForm(form: FormData): ContactInput {
  const typed = v.parse(typedSchema, Object.fromEntries(form));
  const result = v.safeParse(contactSchema, typed);
  if (result.success) return { ok: true, message: result.output };
  const { nested = {} } = v.flatten<typeof contactSchema>(result.issues);
  const errors = Object.fromEntries(Object.entries(nested).map(([field, [first]]) => [field, first]));
  return { ok: false, errors, typed };
}
