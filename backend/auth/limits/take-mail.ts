import type { RateLimits } from "./rate-limits.ts";

/** Counts a mail to a mailbox, or of an account: one a minute is not many, one a minute for days would bury the owner's own. */
export async function takeMail(limits: RateLimits, key: string): Promise<void> {
  await limits.take("accountSend", key);
  await limits.take("accountSendDay", key);
}
