import { showError } from "#app/ui/toast/toast-store.ts";

/** How the database client reports a failed request, as a message. */
const NO_ANSWER = /^(TypeError|FetchError): /;

/** How the auth and storage clients name it. */
const AWAY = /^(AuthRetryableFetch|StorageUnknown)Error$/;

/** Whether no response arrived, so that the outcome of the request is unknown. */
export function isUnanswered(error: { name?: string; message: string }): boolean {
  return AWAY.test(error.name ?? "") || error instanceof TypeError || NO_ANSWER.test(error.message);
}

/** How services refuse a session that has ended, or that may not do this: in developers' words. */
const REFUSED = /^PGRST30\d|row-level security|permission denied for|\bJWT\b|Auth session missing/;

/** The service's own message, or ours if no service responded or the message is not for users. */
export function describeFailure(error: {
  name?: string;
  message: string;
  code?: string | undefined;
}): string {
  if (isUnanswered(error)) return "The service can't be reached right now. Please try again in a moment.";
  if (REFUSED.test(`${error.code} ${error.message}`))
    return "Log in again: your session has ended, or you may no longer do this.";
  return error.message;
}

/** A toast with the service's own message (8.error.08, 8.error.09), or ours if no service responded. */
export function showFailure(error: { name?: string; message: string }): void {
  showError(describeFailure(error));
}
