import { hash } from "node:crypto";
import { fetchBounded } from "#backend/http/fetch-bounded.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { sentence } from "#backend/log/sentence.ts";
import { RateWindow } from "#backend/memory/rate-window.ts";
import { AuthError } from "../auth-error.ts";
import { knownPassword } from "./common-passwords.ts";

/** Have I Been Pwned's list of passwords that were seen in breaches, or a mirror of it. */
export type BreachSettings = {
  /** Without a slash at its end. */
  baseUrl: string;
  userAgent: string;
  /** No answer refuses the password, too. */
  failClosed: boolean;
};

/** @throws AuthError 422 for a password that was seen in a breach, 500 where that is not known and must be */
export type BreachCheck = (password: string) => Promise<void>;

const TIMEOUT_MS = 5_000;
/** A range with its padding has some 40 kB. */
const MAX_BYTES = 1_000_000;
const QUIET_MS = 60_000;
const PREFIX = 5;

/**
 * Asks by k-anonymity: only the first five figures of the password's SHA-1 leave, which thousands share, and padding hides
 * from the length of the answer how many (haveibeenpwned.com/API/v3#PwnedPasswords).
 */
export function createBreachCheck(settings: BreachSettings, log: Log, timeoutMs = TIMEOUT_MS): BreachCheck {
  const reports = new RateWindow(1, QUIET_MS);

  function report(cause: unknown): void {
    if (!reports.take()) return;
    log(
      sentence`auth: passwords cannot be looked up in the list of breaches: ${describeCause(cause)}`,
      "warn",
    );
  }

  return async (password) => {
    const digest = hash("sha1", password).toUpperCase();
    const range = await askRange(settings, digest.slice(0, PREFIX), timeoutMs).catch(report);
    if (range === undefined) {
      if (!settings.failClosed) return;
      const message = "Unable to perform password strength check with HaveIBeenPwned.org.";
      throw new AuthError(500, "unexpected_failure", message);
    }
    // Padding has a count of 0.
    const isSeen = range.some((line) => {
      const [suffix, count] = line.trim().split(":");
      return suffix?.toUpperCase() === digest.slice(PREFIX) && Number(count) > 0;
    });
    if (isSeen) throw knownPassword();
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
