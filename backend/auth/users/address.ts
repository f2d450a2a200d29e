import { validationFailed } from "../auth-error.ts";
import { defaultAuthConfig } from "../service/auth-config.ts";

const MAX_EMAIL = 255;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Normalizes an address to its stored form: trimmed, lower case. @throws AuthError 400 if it is malformed */
export function readEmail(text: string, fault = defaultAuthConfig.emailFault): string {
  const email = text.trim().toLowerCase();
  if (email === "") throw validationFailed("An email address is required");
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || email.includes("..")) {
    throw validationFailed(fault);
  }
  return email;
}

/** Normalizes a number to its stored form: the digits of E.164. @throws AuthError 400 if it is malformed */
export function readPhone(text: string): string {
  const phone = text.replaceAll(" ", "").replace(/^\+/, "");
  if (!/^[1-9]\d{1,14}$/.test(phone)) {
    throw validationFailed("Invalid phone number format (E.164 required)");
  }
  return phone;
}
