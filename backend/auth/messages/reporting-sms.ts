import { AuthError } from "../auth-error.ts";
import type { SmsSender } from "./sms-hook.ts";

const QUIET_MS = 60_000;

export function smsSendFailed(): AuthError {
  return new AuthError(422, "sms_send_failed", "The text message could not be sent. Please try again later.");
}

/** A failure becomes a refusal that the client sees, and at most once a minute a line for the operator. */
export function createReportingSms(sms: SmsSender, report: (cause: unknown) => void): SmsSender {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    async send(message) {
      try {
        await sms.send(message);
      } catch (cause) {
        if (Date.now() - reportedAt >= QUIET_MS) {
          reportedAt = Date.now();
          report(cause);
        }
        throw smsSendFailed();
      }
    },
  };
}
