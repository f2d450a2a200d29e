import { EMAIL_PATTERN } from "./email.ts";
import { LIMITS, lengthOf } from "./limits.ts";
import { findPasswordFault } from "./password-rule.ts";

const { max } = LIMITS.signUp.email;

export type Credentials = { email: string; password: string };

/** What is wrong with an input: a sentence for its reader, and the field that it is about. */
type CredentialFault = { field: keyof Credentials; message: string };

/** What is wrong with an e-mail address that was trimmed, or null (5.signup.02 and .03). */
export function findEmailFault(email: string): string | null {
  if (!EMAIL_PATTERN.test(email)) return "Please enter a valid email";
  return lengthOf(email) <= max ? null : `Email must be at most ${max} characters`;
}

/** The first thing wrong with a sign-up whose e-mail address was trimmed, or null (5.signup.10). */
export function findSignUpFault({ email, password }: Credentials): CredentialFault | null {
  const aboutEmail = findEmailFault(email);
  if (aboutEmail) return { field: "email", message: aboutEmail };
  const aboutPassword = findPasswordFault(password);
  return aboutPassword && { field: "password", message: aboutPassword.message };
}
