import * as v from "valibot";

/** The format of usernames; the profiles table has the same check (P12). */
const USERNAME_PATTERN = /^[A-Za-z0-9_]{3,20}$/;

const USERNAME_FAULT = "Username must be 3 to 20 letters, digits or underscores";

/** Why a username's format is invalid, or null. Whether it is available and decent is up to the database. */
export function findUsernameFault(username: string): string | null {
  if (USERNAME_PATTERN.test(username)) return null;
  return USERNAME_FAULT;
}

/** A typed username. */
export const usernameSchema = v.pipe(v.string(), v.trim(), v.regex(USERNAME_PATTERN, USERNAME_FAULT));
