import { showError } from "#app/ui/toast/toast-store.ts";

/** How the database client reports a failed request, as a message. */
const NO_ANSWER = /^(TypeError|FetchError|TimeoutError): /;

/** How the auth and storage clients name it. */
const AWAY = /^(AuthRetryableFetch|StorageUnknown)Error$/;

/** Whether no response arrived, so that the outcome of the request is unknown. */
export function isUnanswered(error: { name?: string; message: string }): boolean {
  return AWAY.test(error.name ?? "") || error instanceof TypeError || NO_ANSWER.test(error.message);
}

/** The service's own message, or ours if no service responded. */
export function describeFailure(error: { name?: string; message: string }): string {
  if (!isUnanswered(error)) return error.message;
  return "The service can't be reached right now. Please try again in a moment.";
}

/** A toast with the service's own message (8.error.08, 8.error.09), or ours if no service responded. */
export function showFailure(error: { name?: string; message: string }): void {
  showError(describeFailure(error));
}
