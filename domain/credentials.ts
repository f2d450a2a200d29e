import { EMAIL_PATTERN } from "./email.ts";
import { LIMITS, lengthOf } from "./limits.ts";

const limits = LIMITS.signUp;

export type Credentials = { email: string; password: string };

/** What is wrong with an input: a sentence for its reader, and the field that it is about. */
export type CredentialFault = { field: keyof Credentials; message: string };

/** `reasons` are the auth service's words for every broken rule, `message` the sentence of the first. */
export type PasswordFault = { reasons: ("length" | "characters")[]; message: string };

type Rule = { reason: PasswordFault["reasons"][number]; message: string; holds(password: string): boolean };

/** In the order in which they are told. Letters, numbers and symbols of any script count (decision 32). */
const PASSWORD_RULES: readonly Rule[] = [
  {
    reason: "length",
    message: `Password must be at least ${limits.password.min} characters`,
    holds: (password) => lengthOf(password) >= limits.password.min,
  },
  {
    reason: "length",
    message: `Password must be at most ${limits.password.max} characters`,
    holds: (password) => lengthOf(password) <= limits.password.max,
  },
  includes("a lowercase letter", /\p{Ll}/u),
  includes("an uppercase letter", /\p{Lu}/u),
  includes("a number", /\p{N}/u),
  includes("a symbol", /[^\p{L}\p{N}\s]/u),
];

function includes(what: string, pattern: RegExp): Rule {
  return {
    reason: "characters",
    message: `Password must include ${what}`,
    holds: (password) => pattern.test(password),
  };
}

/** The rule for new passwords (5.signup.04 to .09); null for a good one. */
export function findPasswordFault(password: string): PasswordFault | null {
  const broken = PASSWORD_RULES.filter((rule) => !rule.holds(password));
  const [first] = broken;
  return first ? { reasons: [...new Set(broken.map((rule) => rule.reason))], message: first.message } : null;
}

/** What is wrong with an e-mail address that was trimmed, or null (5.signup.02 and .03). */
export function findEmailFault(email: string): string | null {
  if (!EMAIL_PATTERN.test(email)) return "Please enter a valid email";
  return lengthOf(email) <= limits.email.max ? null : `Email must be at most ${limits.email.max} characters`;
}

/** The first thing wrong with a sign-up whose e-mail address was trimmed, or null (5.signup.10). */
export function findSignUpFault({ email, password }: Credentials): CredentialFault | null {
  const aboutEmail = findEmailFault(email);
  if (aboutEmail) return { field: "email", message: aboutEmail };
  const aboutPassword = findPasswordFault(password);
  return aboutPassword && { field: "password", message: aboutPassword.message };
}
