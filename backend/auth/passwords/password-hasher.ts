import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { compare } from "@node-rs/bcrypt";
import { tooMany } from "../auth-error.ts";
import { createQueue } from "./queue.ts";

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /**
   * Without a stored hash it works as long as with one, and says no. `outdated`: the hash is of an older kind and should
   * be replaced now that the password is at hand.
   */
  verify(password: string, stored: string | null): Promise<{ matches: boolean; outdated: boolean }>;
};

/** Argon2id with 19 MiB and two passes: the least that OWASP's storage guide asks for. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_KIND = "$argon2id$v=19$m=19456,t=2,p=1$";
const BCRYPT = /^\$2[abxy]\$/;
const WAITING_AT_MOST = 100;

/**
 * Hashes one password at a time, so that a flood of sign-ins leaves the machine its other cores; beyond a queue of
 * 100 it refuses with 429.
 */
export async function createPasswordHasher(concurrency = 1): Promise<PasswordHasher> {
  const queue = createQueue(concurrency, WAITING_AT_MOST, () =>
    tooMany("over_request_rate_limit", "Request rate limit reached", 1),
  );
  const nobodys = await hash(randomBytes(32).toString("base64url"), ARGON2ID);
  return {
    hash: (password) => queue(() => hash(password, ARGON2ID)),
    verify: (password, stored) =>
      queue(async () => {
        if (!stored) return { matches: (await verify(nobodys, password)) && false, outdated: false };
        const matches = await (BCRYPT.test(stored)
          ? compare(password, stored)
          : verifyArgon2(password, stored));
        return { matches, outdated: !stored.startsWith(CURRENT_KIND) };
      }),
  };
}

/** What is no hash at all, such as a disabled account's marker, matches nothing. */
async function verifyArgon2(password: string, stored: string): Promise<boolean> {
  return stored.startsWith("$argon2") ? verify(stored, password) : false;
}
