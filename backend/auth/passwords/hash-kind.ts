/** Argon2id with 19 MiB and two passes, the minimum of OWASP's password storage guide. */
export const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The kind of new hashes. */
export const CURRENT_KIND = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$`;

/** The text before the salt, which determines how long verification takes. */
const KIND = /^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$/;

/** Null for anything but a hash, such as a disabled account's marker. */
export function kindOf(stored: string | null): string | null {
  // The letter names the program that made a bcrypt hash; all take the same time.
  return stored?.match(KIND)?.[0].replace(/^\$2[axy]/, "$2b") ?? null;
}

/** Accepts a kind or a whole hash. */
export const isBcrypt = (kind: string) => kind.startsWith("$2");

/** Limits on imported hashes, of about half a second: bcrypt's cost, and Argon2's memory in KiB times passes. */
const MAX_BCRYPT_COST = 13;
const MAX_ARGON2_WORK = 400_000;

/** Whether every sign-in can take this long: an account whose hash takes minutes must not hold up all others. */
export function isAffordable(kind: string): boolean {
  if (isBcrypt(kind)) return Number(kind.slice(4, 6)) <= MAX_BCRYPT_COST;
  const [, memory, passes] = /m=(\d+),t=(\d+)/.exec(kind) ?? [];
  return Number(memory) * Number(passes) <= MAX_ARGON2_WORK;
}

/**
 * A valid hash of that kind that no password matches: verifying it takes as long as a real one. It must be decodable.
 */
export function dummyHash(kind: string): string {
  return isBcrypt(kind) ? kind + "e".repeat(53) : `${kind}${"A".repeat(22)}$${"A".repeat(43)}`;
}
