import type { Faults } from "./form.tsx";

type FormErrorOptions = {
  /** The title of its toast; null where none is shown. */
  title?: string | null;
  /** The fields that it may be about; a form shows it at those that it has. */
  fields?: readonly string[];
  cause?: unknown;
};

/** Why a form was not saved: a sentence for its reader. */
export class FormError extends Error {
  readonly title: string | null;
  readonly faults: Faults;

  constructor(message: string, { title = "Error", fields = [], cause }: FormErrorOptions = {}) {
    super(message, { cause });
    this.title = title;
    this.faults = Object.fromEntries(fields.map((field) => [field, message]));
  }
}

/** The person chose not to go on: nothing was saved, and nothing is said. */
export class FormCancelled extends FormError {
  constructor() {
    super("Cancelled", { title: null });
  }
}
