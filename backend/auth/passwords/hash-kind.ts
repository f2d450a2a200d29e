/** Argon2id with 19 MiB and two passes: the least that OWASP's storage guide asks for. */
export const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The kind of new hashes. */
export const CURRENT_KIND = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$`;

/** How a hash was made, and so how long a try takes: the text before its salt. */
const KIND = /^\$(?:2[abxy]\$\d\d|argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+)\$/;

/** Null for what is no hash at all, such as a disabled account's marker. */
export function kindOf(stored: string | null): string | null {
  // The letter says which program made a bcrypt hash; all take as long.
  return stored?.match(KIND)?.[0].replace(/^\$2[axy]/, "$2b") ?? null;
}

/** Of a kind, or of a whole hash. */
export const isBcrypt = (kind: string) => kind.startsWith("$2");

/** Powers of two that a bcrypt hash may take, and KiB times passes that an Argon2 hash may: about half a second. */
const MAX_BCRYPT_COST = 13;
const MAX_ARGON2_WORK = 400_000;

/** Whether everybody's sign-in may take as long, too; one account that takes minutes must not hold up all others. */
export function isAffordable(kind: string): boolean {
  if (isBcrypt(kind)) return Number(kind.slice(4, 6)) <= MAX_BCRYPT_COST;
  const [, memory, passes] = /m=(\d+),t=(\d+)/.exec(kind) ?? [];
  return Number(memory) * Number(passes) <= MAX_ARGON2_WORK;
}

/** A hash of that kind that no password matches: trying one takes as long as with anybody's. Its signs must be decodable. */
export function dummyHash(kind: string): string {
  return isBcrypt(kind) ? kind + "e".repeat(53) : `${kind}${"A".repeat(22)}$${"A".repeat(43)}`;
}
