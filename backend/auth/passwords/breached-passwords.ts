import { hash } from "node:crypto";
import { fetchBounded } from "#backend/http/fetch-bounded.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { logText } from "#backend/log/log-text.ts";
import { RateWindow } from "#backend/memory/rate-window.ts";
import { AuthError } from "../auth-error.ts";

/** Have I Been Pwned's list of breached passwords, or a mirror of it. */
export type BreachSettings = {
  /** Without a trailing slash. */
  baseUrl: string;
  userAgent: string;
  /** Also refuses a password if the list does not respond. */
  failClosed: boolean;
};

/** Whether a password is on the list. @throws AuthError 500 if that cannot be checked and `failClosed` is set */
export type BreachCheck = (password: string) => Promise<boolean>;

const TIMEOUT_MS = 5_000;
/** A padded range takes about 40 kB. */
const MAX_BYTES = 1_000_000;
const QUIET_MS = 60_000;
const PREFIX = 5;

/**
 * Looks up passwords by k-anonymity: only the first five hex digits of the SHA-1 are sent, which thousands of passwords
 * share, and padding hides the number of matches from the response's length (haveibeenpwned.com/API/v3#PwnedPasswords).
 */
export function createBreachCheck(settings: BreachSettings, log: Log, timeoutMs = TIMEOUT_MS): BreachCheck {
  const reports = new RateWindow(1, QUIET_MS);

  function report(cause: unknown): void {
    if (!reports.take()) return;
    log(
      logText`auth: passwords could not be checked against the list of breaches: ${describeCause(cause)}`,
      "warn",
    );
  }

  return async (password) => {
    const digest = hash("sha1", password).toUpperCase();
    const range = await askRange(settings, digest.slice(0, PREFIX), timeoutMs).catch(report);
    if (range === undefined) {
      if (!settings.failClosed) return false;
      const message = "Unable to perform password strength check with HaveIBeenPwned.org.";
      throw new AuthError(500, "unexpected_failure", message);
    }
    // Padding entries have a count of 0.
    return range.some((line) => {
      const [suffix, count] = line.trim().split(":");
      return suffix?.toUpperCase() === digest.slice(PREFIX) && Number(count) > 0;
    });
  };
}

async function askRange(
  { baseUrl, userAgent }: BreachSettings,
  prefix: string,
  timeoutMs: number,
): Promise<string[]> {
  const { status, text } = await fetchBounded(`${baseUrl}/range/${prefix}`, {
    headers: { "add-padding": "true", "user-agent": userAgent },
    maxBytes: MAX_BYTES,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (status !== 200) throw new Error(`status ${status}`);
  return text.split("\n");
}
