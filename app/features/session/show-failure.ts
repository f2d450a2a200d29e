import { showError } from "#app/ui/toast/toast-store.ts";

/** How the database's client reports a failed request: as a sentence. */
const NO_ANSWER = /^(TypeError|FetchError|TimeoutError): /;

/** What the clients of accounts and files call it. */
const AWAY = /^(AuthRetryableFetch|StorageUnknown)Error$/;

/** Whether no answer came, so that the outcome of the request is unknown. */
export function isUnanswered(error: { name?: string; message: string }): boolean {
  return AWAY.test(error.name ?? "") || error instanceof TypeError || NO_ANSWER.test(error.message);
}

/** The service's own words, or ours where no service answered. */
export function describeFailure(error: { name?: string; message: string }): string {
  if (!isUnanswered(error)) return error.message;
  return "The service can't be reached right now. Please try again in a moment.";
}

/** A toast with the service's own words (8.error.08, 8.error.09), or with ours where no service answered. */
export function showFailure(error: { name?: string; message: string }): void {
  showError(describeFailure(error));
}
