import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";

const { min, max } = LIMITS.username;

/** The format of usernames and of editors' public names; the database has the same check (P12). */
const USERNAME_PATTERN = new RegExp(`^[A-Za-z0-9_]{${min},${max}}$`);

export const USERNAME_RULE = `${min} to ${max} letters, digits or underscores`;

const USERNAME_FAULT = `Username must be ${USERNAME_RULE}`;

/** Why a username's format is invalid, or null. Whether it is available and decent is up to the database. */
export function findUsernameFault(username: string): string | null {
  if (USERNAME_PATTERN.test(username)) return null;
  return USERNAME_FAULT;
}

/** A typed username. */
export const usernameSchema = typedName(USERNAME_FAULT);

/** An editor's typed public name. */
export const publicNameSchema = typedName(`A name has ${USERNAME_RULE}`);

function typedName(fault: string) {
  return v.pipe(v.string(), v.trim(), v.regex(USERNAME_PATTERN, fault));
}
