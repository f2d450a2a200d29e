type Answer<T> = { data: T | null; error: { code?: string; message: string } | null };

/**
 * The row that a write gave back. Row-level security lets a write that reaches no row pass in silence, so that a thing
 * that is gone, changed by somebody else or out of reach would look as if it had been saved.
 * @throws the service's error, or a sentence that says that nothing was saved
 */
export function requireRow<T>({ data, error }: Answer<T>, what: string): T {
  if (error) throw error;
  if (data === null) {
    throw new Error(
      `Nothing was saved: this ${what} was changed or deleted meanwhile, or you are no longer an admin.`,
    );
  }
  return data;
}
