import { AuthError } from "../auth-error.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * Counts an attempt at a typed code. Ten in ten minutes are few, but ten in ten minutes for a year would find six
 * digits.
 */
export async function countGuess(limits: RateLimits, key: string): Promise<void> {
  await limits.take("accountVerify", key);
  await limits.take("accountVerifyDay", key);
}

/**
 * Counts a mail to a mailbox or by an account: one a minute is not many, but one a minute for days would be a flood. It
 * counts toward the global limit whether or not there is an account, so that the remaining quota reveals nothing.
 */
export async function takeMail(limits: RateLimits, key: string): Promise<void> {
  await limits.take("accountSend", key);
  await limits.take("accountSendDay", key);
  await limits.take("mailsSent", "all");
}

/** The attempt that is remembered once the user of an address or number has signed in from a network. */
export const knownNetwork = (address: string, network: string | null) =>
  ({ action: "accountKnownNetwork", key: `${address} ${network ?? ""}` }) as const;

/**
 * The key for which a code counts that is requested without signing in. Strangers can exhaust the limits of an address,
 * but not for its user on a known network, which has its own.
 */
export async function requesterOf(
  limits: RateLimits,
  address: string,
  network: string | null,
): Promise<string> {
  const known = knownNetwork(address, network);
  return (await limits.knows(known)) ? known.key : address;
}

/** Counts a request for a text message, by number or account; each message costs the operator money. */
export async function countText(limits: RateLimits, key: string): Promise<void> {
  await limits.take("accountSms", key);
  await limits.take("accountSmsDay", key);
}

/** Counts a text message to a number or by an account. */
export async function takeText(limits: RateLimits, key: string): Promise<void> {
  await countText(limits, key);
  await limits.take("textsSent", "all");
}

type TextedFactor = { requester: string; phone: string; isVerified: boolean };

/**
 * Counts a text message to a second factor. Before its number is verified, it may be a stranger's, and counts like any
 * text to that; afterwards only the requester counts by day, so that strangers cannot exhaust it.
 */
export async function takeFactorText(
  limits: RateLimits,
  { requester, phone, isVerified }: TextedFactor,
): Promise<void> {
  await limits.take("accountFactorSms", phone);
  await limits.take("accountFactorSmsDay", requester);
  if (!isVerified) await limits.take("accountSmsDay", phone);
  await limits.take("textsSent", "all");
}

/**
 * Counts an account that may be created after the response, whether or not the address has one: otherwise the remaining
 * quota would reveal which addresses have accounts.
 */
export async function takeAccount(limits: RateLimits, network: string | null): Promise<void> {
  await limits.take("signUpDay", network);
}

/** Counts a notice of a new device; resolves with false over the limit. */
export async function takeDeviceNotice(limits: RateLimits, userId: string): Promise<boolean> {
  return isWithin(limits.take("accountDeviceNotice", userId));
}

/** For what is left out over its limit, without a refusal. */
export async function isWithin(taken: Promise<void>): Promise<boolean> {
  try {
    await taken;
    return true;
  } catch (refusal) {
    if (refusal instanceof AuthError) return false;
    throw refusal;
  }
}
