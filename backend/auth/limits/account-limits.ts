import { AuthError } from "../auth-error.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Counts a typed code: ten in ten minutes are few, but ten in ten minutes for a year would find six digits. */
export async function takeGuess(limits: RateLimits, key: string): Promise<void> {
  await limits.take("accountVerify", key);
  await limits.take("accountVerifyDay", key);
}

/**
 * Counts a mail to a mailbox, or of an account: one a minute is not many, but one a minute for days would be a flood. Among
 * all together it is counted whether or not there is such an account, so that what is left of that limit reveals nothing.
 */
export async function takeMail(limits: RateLimits, key: string): Promise<void> {
  await limits.take("accountSend", key);
  await limits.take("accountSendDay", key);
  await limits.take("mailsSent", "all");
}

/** The same for a text message to a number, or of an account. */
export async function takeText(
  limits: RateLimits,
  key: string,
  action: "accountSms" | "accountFactorSms" = "accountSms",
): Promise<void> {
  await limits.take(action, key);
  await limits.take("textsSent", "all");
}

/**
 * Counts an account that would be created after the response, whether or not the address has one: a limit that only new
 * ones use up would reveal, by what is left of it, which have an account.
 */
export async function takeAccount(limits: RateLimits, network: string | null): Promise<void> {
  await limits.take("signUpDay", network);
}

/** Counts a notice of a new device; false beyond the limit. */
export async function takeDeviceNotice(limits: RateLimits, userId: string): Promise<boolean> {
  try {
    await limits.take("accountDeviceNotice", userId);
    return true;
  } catch (refusal) {
    if (refusal instanceof AuthError) return false;
    throw refusal;
  }
}
