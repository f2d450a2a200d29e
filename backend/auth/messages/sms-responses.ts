import { setTimeout as sleep } from "node:timers/promises";
import { AuthError } from "../auth-error.ts";
import { smsSendFailed } from "./reporting-sms.ts";

const REMEMBERED_MS = 60_000;

/** Uniform responses to requests for a text message. */
export type SmsResponses = {
  /**
   * Waits for `work`, which resolves with whether it sent a message. If there was nothing to send, takes as long as the
   * last message sent, and fails if that failed, so that the response does not reveal whether the number has an
   * account.
   */
  uniform(work: () => Promise<boolean>): Promise<void>;
};

export function createSmsResponses(): SmsResponses {
  let last = { ms: 0, failedAt: Number.NEGATIVE_INFINITY };
  return {
    async uniform(work) {
      const began = performance.now();
      const remember = (failedAt: number) => {
        last = { ms: performance.now() - began, failedAt };
      };
      let sent: boolean;
      try {
        sent = await work();
      } catch (cause) {
        if (cause instanceof AuthError && cause.code === "sms_send_failed") remember(performance.now());
        throw cause;
      }
      if (sent) return remember(Number.NEGATIVE_INFINITY);
      const { ms, failedAt } = last;
      await sleep(Math.max(0, ms - (performance.now() - began)));
      if (performance.now() - failedAt < REMEMBERED_MS) throw smsSendFailed();
    },
  };
}
