import { currentToast, dismissToast, showToast } from "#app/ui/toast-store.ts";

/** A text that was refused before anything was sent (8.error.11). */
export function showInvalidInput(message: string): void {
  showToast({ title: "Invalid input", description: message, variant: "destructive" });
}

/** Something is tried anew: what was wrong with the last try is not said of this one. */
export function dismissFailure(): void {
  const notice = currentToast();
  if (notice?.variant === "destructive") dismissToast(notice.id);
}

/** How the database's client tells that no answer came: it hands the failed request on as a sentence. */
const NO_ANSWER = /^(TypeError|FetchError): /;

/** Whether no answer came, so that nobody knows what became of the request. */
export function isUnanswered(error: { name?: string; message: string }): boolean {
  return (
    error.name === "AuthRetryableFetchError" || error instanceof TypeError || NO_ANSWER.test(error.message)
  );
}

/** A failure with the service's own words (8.error.08, 8.error.09), or with ours where no service answered. */
export function showFailure(error: { name?: string; message: string }): void {
  const description = isUnanswered(error)
    ? "The service can't be reached right now. Please try again in a moment."
    : error.message;
  showToast({ title: "Error", description, variant: "destructive" });
}
