/** Why a message is reported, in words that a child knows; the admins read the same words. */
export const REPORT_REASONS = [
  "Asks for personal things: name, age, school, photos, another app",
  "Mean, hateful or bullying",
  "Not for children",
  "A scam or a trick",
  "Spam",
  "Something else",
] as const;
