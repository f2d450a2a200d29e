import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { atMost, neededText } from "../text/text-schema.ts";
import { mailAddress } from "./mail-address.ts";

const limits = LIMITS.contact;

/** The contact form, with the message for each invalid field (5.contact.01–05). */
export const contactSchema = v.object({
  name: text("Name", limits.name.max),
  email: v.pipe(
    mailAddress("Invalid email address"),
    atMost(limits.email.max, `Email must be at most ${limits.email.max} characters`),
  ),
  subject: text("Subject", limits.subject.max),
  message: text("Message", limits.message.max),
});

export type ContactMessage = v.InferOutput<typeof contactSchema>;

/** A text that is not blank and has at most `max` code points. */
function text(label: string, max: number) {
  return neededText(max, `${label} is required`, `${label} must be at most ${max} characters`);
}
