import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { atMost } from "../text/text-schema.ts";
import { findPasswordFault } from "./password-rule.ts";

const { max } = LIMITS.signUp.email;

/** An email address as it is typed (5.signup.02 and .03). */
export const emailSchema = v.pipe(
  v.string(),
  v.trim(),
  v.email("Please enter a valid email"),
  atMost(max, `Email must be at most ${max} characters`),
);

/** A password that is being chosen. */
export const newPasswordSchema = v.pipe(
  v.string(),
  v.check(
    (password) => findPasswordFault(password) === null,
    ({ input }) => findPasswordFault(input)?.message ?? "",
  ),
);

/** A sign-up. Each field tells its fault; the notice tells the first alone (5.signup.10). */
export const signUpSchema = v.object({ email: emailSchema, password: newPasswordSchema });
