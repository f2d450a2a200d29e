import type { ContactField } from "./contact-fields.ts";
import type { ContactErrors } from "./contact-input.ts";

/** What the server answers to a posted message. Without `typed` it was stored, and the form is empty again. */
export type ContactResult = {
  typed?: Record<ContactField, string>;
  errors?: ContactErrors;
  /** What else went wrong, as a sentence. */
  problem?: string;
};
