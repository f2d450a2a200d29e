import type { Faults } from "./form.tsx";

type FormErrorOptions = {
  /** The title of its toast; null for none. */
  title?: string | null;
  /** The fields that it may concern; a form shows it at those that it has. */
  fields?: readonly string[];
  cause?: unknown;
};

/** Why a form was not saved: a sentence for its user. */
export class FormError extends Error {
  readonly title: string | null;
  readonly faults: Faults;

  constructor(message: string, { title = "Error", fields = [], cause }: FormErrorOptions = {}) {
    super(message, { cause });
    this.title = title;
    this.faults = Object.fromEntries(fields.map((field) => [field, message]));
  }
}

/** The user chose not to continue: nothing was saved, and no message is shown. */
export class FormCancelled extends FormError {
  constructor() {
    super("Cancelled", { title: null });
  }
}
