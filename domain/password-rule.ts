import { LIMITS, lengthOf } from "./limits.ts";

const { min, max } = LIMITS.signUp.password;

type Rule = { message: string; reason: "length" | "characters"; holds(password: string): boolean };

/** In the order in which they are shown; letters, digits and symbols are Unicode's (decision 32). */
const RULES: readonly Rule[] = [
  {
    message: `Password must be at least ${min} characters`,
    reason: "length",
    holds: (password) => lengthOf(password) >= min,
  },
  {
    message: `Password must be at most ${max} characters`,
    reason: "length",
    holds: (password) => lengthOf(password) <= max,
  },
  {
    message: "Password must include a lowercase letter",
    reason: "characters",
    holds: (password) => /\p{Ll}/u.test(password),
  },
  {
    message: "Password must include an uppercase letter",
    reason: "characters",
    holds: (password) => /\p{Lu}/u.test(password),
  },
  {
    message: "Password must include a number",
    reason: "characters",
    holds: (password) => /\p{Nd}/u.test(password),
  },
  {
    message: "Password must include a symbol",
    reason: "characters",
    holds: (password) => /[^\p{L}\p{M}\p{N}\s]/u.test(password),
  },
];

export type PasswordRuleFault = { message: string; reasons: ("length" | "characters")[] };

/** The first sentence that a new password breaks, with the reasons of all; null for a good one (specification §5). */
export function findPasswordFault(password: string): PasswordRuleFault | null {
  const broken = RULES.filter(({ holds }) => !holds(password));
  const [first] = broken;
  return first ? { message: first.message, reasons: [...new Set(broken.map(({ reason }) => reason))] } : null;
}
