import { LIMITS, lengthOf } from "../text/limits.ts";

const { min, max } = LIMITS.signUp.password;

/**
 * Not a letter, number or white space, and nothing invisible: control and format characters, joiners, fillers, the
 * Braille pattern without dots.
 */
const SYMBOL = /[^\p{L}\p{M}\p{N}\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\s\u2800]/u;

type Rule = {
  message: string;
  /** A short label of the requirement. */
  label: string;
  reason: "length" | "characters";
  holds(password: string): boolean;
};

/** In display order; letters, digits and symbols are Unicode's (P32). */
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

/** Each requirement and whether a password meets it; the maximum length is listed only if it is exceeded. */
export function checkPassword(typed: string): PasswordCheck[] {
  const password = typed.normalize("NFC");
  const checks = RULES.map(({ label, holds }) => ({ label, isMet: holds(password) }));
  return checks.filter(({ isMet }, index) => index !== LONGEST || !isMet);
}

/**
 * The message for the first requirement that a new password fails, with the reasons of all; null if valid
 * (5.signup.04–10).
 */
export function findPasswordFault(typed: string): PasswordRuleFault | null {
  // A precomposed character counts the same as a letter with a combining mark.
  const password = typed.normalize("NFC");
  const broken = RULES.filter(({ holds }) => !holds(password));
  const [first] = broken;
  return first ? { message: first.message, reasons: [...new Set(broken.map(({ reason }) => reason))] } : null;
}
