import { FormError } from "#app/ui/form/form-error.ts";
import { holds } from "./holds.ts";

type Answer<T> = { data: T | null; error: { code?: string; message: string } | null };

const UNIQUE_VIOLATION = "23505";

/**
 * Returns the row that a write gave back. Row-level security silently ignores a write that reaches no row, so that
 * something deleted, changed by someone else or not accessible would seem to have been saved.
 * @param taken the message for the field whose value exists already
 * @throws the service's error, or a message that nothing was done
 */
export function requireRow<T>(
  { data, error }: Answer<T>,
  what: string,
  taken?: { field: string; message: string },
): T {
  if (taken && isTaken({ data, error })) {
    throw new FormError(taken.message, { fields: [taken.field], cause: error });
  }
  if (error) throw error;
  if (data === null) {
    throw new Error(
      `Nothing was done: this ${what} was changed or deleted in the meantime, or you no longer have the role for it.`,
    );
  }
  return data;
}

/** Whether an insert was refused because the row exists already. */
const isTaken = ({ error }: Answer<unknown>): boolean => error?.code === UNIQUE_VIOLATION;

/** Whether a repeated insert was refused because an attempt whose answer was lost did the same: `there` holds it. */
export async function isAddedAlready(
  answer: Answer<unknown>,
  isRepeat: boolean,
  input: object,
  there: () => PromiseLike<object | null>,
): Promise<boolean> {
  return isRepeat && isTaken(answer) && holds((await there()) ?? {}, input);
}

/**
 * Whether an update of the version `was` reached no row because an earlier attempt, whose answer was lost, has stored
 * the same input: `now` holds it.
 */
export async function isSavedAlready(
  { data, error }: Answer<unknown>,
  was: string,
  input: object,
  now: PromiseLike<Answer<{ updated_at: string }>>,
): Promise<boolean> {
  if (data !== null || error) return false;
  const row = (await now).data;
  return row !== null && row.updated_at !== was && holds(row, input);
}
