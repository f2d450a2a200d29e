import * as v from "valibot";

/** What a username may be made of; the profile's table holds the same (P12). */
const USERNAME_PATTERN = /^[A-Za-z0-9_]{3,20}$/;

const USERNAME_FAULT = "Username must be 3 to 20 letters, digits or underscores";

/** What is wrong with the form of a username, or null. Whether it is free and decent is the database's to say. */
export function findUsernameFault(username: string): string | null {
  if (USERNAME_PATTERN.test(username)) return null;
  return USERNAME_FAULT;
}

/** A username as it is typed. */
export const usernameSchema = v.pipe(v.string(), v.trim(), v.regex(USERNAME_PATTERN, USERNAME_FAULT));
