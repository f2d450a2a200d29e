import { LIMITS, lengthOf } from "../text/limits.ts";

const { min, max } = LIMITS.signUp.password;

/**
 * Neither letter, number nor white space, and nothing that nobody sees: control and format characters, joiners, fillers,
 * the Braille pattern without dots.
 */
const SYMBOL = /[^\p{L}\p{M}\p{N}\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\s\u2800]/u;

type Rule = {
  message: string;
  /** What it asks for, in few words. */
  label: string;
  reason: "length" | "characters";
  holds(password: string): boolean;
};

/** In the order in which they are shown; letters, digits and symbols are Unicode's (P32). */
const RULES: readonly Rule[] = [
  {
    message: `Password must be at least ${min} characters`,
    label: `At least ${min} characters`,
    reason: "length",
    holds: (password) => lengthOf(password) >= min,
  },
  {
    message: `Password must be at most ${max} characters`,
    label: `At most ${max} characters`,
    reason: "length",
    holds: (password) => lengthOf(password) <= max,
  },
  {
    message: "Password must include a lowercase letter",
    label: "A lowercase letter",
    reason: "characters",
    holds: (password) => /\p{Ll}/u.test(password),
  },
  {
    message: "Password must include an uppercase letter",
    label: "An uppercase letter",
    reason: "characters",
    holds: (password) => /\p{Lu}/u.test(password),
  },
  {
    message: "Password must include a number",
    label: "A number",
    reason: "characters",
    holds: (password) => /\p{Nd}/u.test(password),
  },
  {
    message: "Password must include a symbol",
    label: "A symbol, such as ! or #",
    reason: "characters",
    holds: (password) => SYMBOL.test(password),
  },
];

const LONGEST = 1;

export type PasswordRuleFault = { message: string; reasons: ("length" | "characters")[] };

export type PasswordCheck = { label: string; isMet: boolean };

/** Each part of the rule and whether a password keeps it; the longest length is named only to who is over it. */
export function checkPassword(typed: string): PasswordCheck[] {
  const password = typed.normalize("NFC");
  const checks = RULES.map(({ label, holds }) => ({ label, isMet: holds(password) }));
  return checks.filter(({ isMet }, index) => index !== LONGEST || !isMet);
}

/** The first sentence that a new password breaks, with the reasons of all; null for a good one (5.signup.04–10). */
export function findPasswordFault(typed: string): PasswordRuleFault | null {
  // One character may be sent as one code or as a letter with its sign behind it: it counts the same.
  const password = typed.normalize("NFC");
  const broken = RULES.filter(({ holds }) => !holds(password));
  const [first] = broken;
  return first ? { message: first.message, reasons: [...new Set(broken.map(({ reason }) => reason))] } : null;
}
