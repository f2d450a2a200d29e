type CodeWords = {
  /** Shown to moderators. */
  label: string;
  /** Shown to the reporter, in words that a child knows. */
  question: string;
  /** Shown to the sanctioned user unless the moderator writes something else. */
  sentence: string;
};

/** By reason for a report or a sanction, in the order shown to children; the database has the same list. */
const WORDS = {
  personal: {
    label: "Personal information",
    question: "Asks for personal things: name, age, school, photos, another app",
    sentence: "Keep personal things private: names, ages, schools, numbers, other apps.",
  },
  meeting: {
    label: "Meeting or grooming",
    question: "Wants to meet, or wants to keep secrets",
    sentence: "Never ask others to meet, for pictures, or to keep secrets.",
  },
  insult: {
    label: "Insult",
    question: "Mean, hateful or bullying",
    sentence: "Please be kind to others.",
  },
  sexual: {
    label: "Not for children",
    question: "Not for children",
    sentence: "Everything here must be fit for children.",
  },
  scam: {
    label: "Scam",
    question: "A scam or a trick",
    sentence: "Tricks and scams are not allowed here.",
  },
  spam: { label: "Spam", question: "Spam", sentence: "Please don't flood others." },
  impersonation: {
    label: "Impersonation",
    question: "Pretends to be someone else",
    sentence: "Please don't pretend to be someone else.",
  },
  other: { label: "Other", question: "Something else", sentence: "Please keep to the rules." },
} as const satisfies Record<string, CodeWords>;

export type ReportCode = keyof typeof WORDS;
export const REPORT_CODES = Object.keys(WORDS) as ReportCode[];

/** The texts of a code; an unknown code gets those of `other`. */
export function wordsOfCode(code: string): CodeWords {
  return Object.hasOwn(WORDS, code) ? WORDS[code as ReportCode] : WORDS.other;
}

/** The ones after which a child may be in danger, so that moderators see them first. */
export const GRAVE_CODES: readonly ReportCode[] = ["personal", "meeting", "sexual"];

/** The things that can be reported, as the end of a sentence that begins with `Report`. */
export const REPORT_KINDS = {
  message: "this message",
  name: "this name",
  picture: "this picture",
  rating: "this rating",
  answer: "this answer",
} as const;
export type ReportKind = keyof typeof REPORT_KINDS;
