import { weakPassword } from "../auth-error.ts";
import type { BreachCheck } from "./breached-passwords.ts";
import { refuseCommon, refuseOwnAddress, refuseOwnWords } from "./common-passwords.ts";

export type PasswordFault = { reasons: ("length" | "characters" | "pwned")[]; message: string };

export type PasswordPolicy = {
  /** In Unicode code points, like `maxLength`. */
  minLength: number;
  maxLength?: number;
  /** Groups of characters, of each of which a password needs at least one. */
  requiredCharacters?: readonly string[];
};

const DEFAULT_MAX_LENGTH = 128;

/** The hosted service's message and reason for a password that others use as well. */
const KNOWN: PasswordFault = {
  reasons: ["pwned"],
  message: "Password is known to be weak and easy to guess, please choose a different one.",
};

/** Checks length and character groups, with the hosted service's messages. */
export function passwordPolicy({
  minLength,
  maxLength = DEFAULT_MAX_LENGTH,
  requiredCharacters = [],
}: PasswordPolicy): (password: string) => PasswordFault | null {
  return (password) => {
    const characters = Array.from(password);
    const faults: PasswordFault[] = [];
    if (characters.length < minLength) {
      faults.push({ reasons: ["length"], message: `Password should be at least ${minLength} characters.` });
    }
    if (characters.length > maxLength) {
      const message = `Password cannot be longer than ${maxLength} characters.`;
      faults.push({ reasons: ["length"], message });
    }
    if (!requiredCharacters.every((group) => characters.some((character) => group.includes(character)))) {
      const groups = requiredCharacters.join(", ");
      const message = `Password should contain at least one character of each: ${groups}.`;
      faults.push({ reasons: ["characters"], message });
    }
    if (faults.length === 0) return null;
    return {
      reasons: faults.flatMap(({ reasons }) => reasons),
      message: faults.map(({ message }) => message).join(" "),
    };
  };
}

type Rules = {
  config: {
    findPasswordFault(password: string): PasswordFault | null;
    refuseCommonPasswords: boolean;
    ownNames: readonly string[];
  };
  isBreached: BreachCheck | null;
};

/**
 * Refuses passwords that violate the operator's policy, or are common or easily guessed.
 * @param addresses the account's own
 * @throws AuthError 422 with the reasons
 */
export async function refuseWeak(
  typed: string,
  { config, isBreached }: Rules,
  addresses: readonly (string | null | undefined)[],
): Promise<void> {
  const password = typed.normalize("NFC");
  const fault = config.findPasswordFault(password);
  if (fault) throw weakPassword(fault.reasons, fault.message);
  if (config.refuseCommonPasswords) {
    refuseOwnAddress(password, addresses);
    refuseOwnWords(password, config.ownNames);
    await refuseCommon(password);
  }
  if (await isBreached?.(password)) throw weakPassword(KNOWN.reasons, KNOWN.message);
}

/**
 * What is wrong with a password that somebody signed in with: the rules may be newer than the account. Only what the
 * hosted service looks up, too: the list of common passwords takes memory that sign-ins do not need.
 */
export async function findWeakness(
  typed: string,
  { config, isBreached }: Rules,
): Promise<PasswordFault | null> {
  const password = typed.normalize("NFC");
  const fault = config.findPasswordFault(password);
  if (fault) return fault;
  // That the list does not respond has been logged, and is no reason to refuse a sign-in.
  return (await isBreached?.(password).catch(() => false)) ? KNOWN : null;
}
