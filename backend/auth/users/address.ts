import { validationFailed } from "../auth-error.ts";

const MAX_EMAIL = 255;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** As it is stored: trimmed, in lower case. @throws AuthError 400 for what is no address */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === "") throw validationFailed("An email address is required");
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || email.includes("..")) {
    throw validationFailed("Unable to validate email address: invalid format");
  }
  return email;
}

/** As it is stored: the digits of an E.164 number. @throws AuthError 400 for what is no number */
export function readPhone(text: string): string {
  const phone = text.replaceAll(" ", "").replace(/^\+/, "");
  if (!/^[1-9]\d{1,14}$/.test(phone)) {
    throw validationFailed("Invalid phone number format (E.164 required)");
  }
  return phone;
}
