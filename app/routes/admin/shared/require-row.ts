import { FormError } from "#app/ui/form/form-error.ts";

type Answer<T> = { data: T | null; error: { code?: string; message: string } | null };

const UNIQUE_VIOLATION = "23505";

/**
 * The row that a write gave back. Row-level security lets a write that reaches no row pass in silence, so that a thing
 * that is gone, changed by somebody else or out of reach would look as if it had been saved.
 * @param taken what is said of the field whose value exists already
 * @throws the service's error, or a sentence that says that nothing was saved
 */
export function requireRow<T>(
  { data, error }: Answer<T>,
  what: string,
  taken?: { field: string; message: string },
): T {
  if (taken && error?.code === UNIQUE_VIOLATION) {
    throw new FormError(taken.message, { fields: [taken.field], cause: error });
  }
  if (error) throw error;
  if (data === null) {
    throw new Error(
      `Nothing was saved: this ${what} was changed or deleted in the meantime, or you are no longer an admin.`,
    );
  }
  return data;
}
