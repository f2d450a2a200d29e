import { hash, verify } from "@node-rs/argon2";
import { compare } from "@node-rs/bcrypt";
import { ALONE, type Crew, shareOf } from "#backend/memory/crew.ts";
import { createWorkQueue } from "#backend/memory/work-queue.ts";
import { tooMany } from "../auth-error.ts";
import { dummyHash, isAffordable, isBcrypt, kindOf } from "./hash-kind.ts";

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for every account as for none: one comparison for each kind of hash that accounts have (`kinds`, besides
   * its own), with the account's hash or a dummy. `outdated`: the hash should be replaced while the password is known.
   */
  verify(
    password: string,
    stored: string | null,
    kinds?: readonly string[],
  ): Promise<{ matches: boolean; outdated: boolean }>;
};

/** Argon2id with 19 MiB and two passes: the least that OWASP's storage guide asks for. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_KIND = "$argon2id$v=19$m=19456,t=2,p=1$";
const WAITING_AT_MOST = 100;

/**
 * Hashes one password at a time, on a thread of its own, so that a flood of sign-ins leaves the other cores free; beyond
 * a queue of 100 it refuses with 429. Several processes do so in turns, and share the queue's length.
 */
export function createPasswordHasher(crew: Crew = ALONE): PasswordHasher {
  const { run } = createWorkQueue({
    workers: 1,
    waitingInAll: shareOf(WAITING_AT_MOST, crew),
    refusal: () => tooMany("over_request_rate_limit", "Request rate limit reached", 1),
  });
  const queue = <T>(task: () => Promise<T>) => run("", () => crew.inTurn("hash", task));
  return {
    hash: (password) => queue(() => hash(password.normalize("NFC"), ARGON2ID)),
    verify: (password, stored, kinds = []) => queue(() => tryKinds(formsOf(password), stored, kinds)),
  };
}

/**
 * The same characters have several codes, and keyboards differ in which they send (RFC 8265 §4.2.2). Hashes are of the
 * first form; imported ones may be of another.
 */
function formsOf(password: string): string[] {
  return [...new Set([password.normalize("NFC"), password.normalize("NFD"), password])];
}

async function tryKinds(forms: string[], stored: string | null, kinds: readonly string[]) {
  const own = kindOf(stored);
  const others = kinds.map(kindOf).filter((kind) => kind !== null && isAffordable(kind)) as string[];
  let matched: string | null = null;
  for (const kind of new Set([CURRENT_KIND, ...others.sort(), ...(own === null ? [] : [own])])) {
    const found = await findMatch(forms, kind, kind === own ? (stored as string) : dummyHash(kind));
    if (kind === own) matched = found;
  }
  return { matches: matched !== null, outdated: own !== CURRENT_KIND || matched !== forms[0] };
}

async function findMatch(forms: string[], kind: string, stored: string): Promise<string | null> {
  for (const form of forms) {
    if (await (isBcrypt(kind) ? compare(form, stored) : verify(stored, form))) return form;
  }
  return null;
}
