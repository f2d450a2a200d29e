import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { atMost } from "../text/text-schema.ts";
import { mailAddress } from "./mail-address.ts";
import { findPasswordFault } from "./password-rule.ts";

export const EMAIL_FAULT = "Please enter a valid email";

const { max } = LIMITS.signUp.email;

/** A typed email address (5.signup.02 and .03). */
export const emailSchema = v.pipe(
  mailAddress(EMAIL_FAULT),
  atMost(max, `Email must be at most ${max} characters`),
);

/** A new password. */
export const newPasswordSchema = v.pipe(
  v.string(),
  v.check(
    (password) => findPasswordFault(password) === null,
    ({ input }) => findPasswordFault(input)?.message ?? "",
  ),
);

/** The sign-up form. Only the first failure is shown (5.signup.10); the password's own list says what it lacks anyway. */
export const signUpSchema = v.config(v.object({ email: emailSchema, password: newPasswordSchema }), {
  abortEarly: true,
});
