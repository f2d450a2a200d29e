import { RateWindow } from "#backend/memory/rate-window.ts";
import { AuthError } from "../auth-error.ts";
import type { SmsSender } from "./sms-hook.ts";

const QUIET_MS = 60_000;

export function smsSendFailed(): AuthError {
  return new AuthError(422, "sms_send_failed", "The text message could not be sent. Please try again later.");
}

/** Turns a failure into an error for the client, and logs at most one line a minute for the operator. */
export function createReportingSms(sms: SmsSender, report: (cause: unknown) => void): SmsSender {
  const reports = new RateWindow(1, QUIET_MS);
  return {
    async send(message) {
      try {
        await sms.send(message);
      } catch (cause) {
        if (reports.take()) report(cause);
        throw smsSendFailed();
      }
    },
  };
}
