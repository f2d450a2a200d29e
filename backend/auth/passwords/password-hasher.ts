import { atOnce, type ProcessGroup, shareOf } from "#backend/memory/process-group.ts";
import { createWorkQueue } from "#backend/memory/work-queue.ts";
import { tooMany } from "../auth-error.ts";
import { CURRENT_KIND, dummyHash, isAffordable, kindOf } from "./hash-kind.ts";
import { createHashThreads, type HashThreads } from "./hash-threads.ts";

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /**
   * Takes the same time for every account and for none: one comparison for each kind of hash in use (`kinds`, and the
   * current one), with the account's hash or a dummy. `outdated`: the hash should be replaced while the password is
   * known.
   */
  verify(
    password: string,
    stored: string | null,
    kinds?: readonly string[],
  ): Promise<{ matches: boolean; outdated: boolean }>;
};

const WAITING_AT_MOST = 100;

/**
 * Hashes one password per core, on low-priority threads, so that a flood of sign-ins uses only idle CPU time; beyond a
 * queue of 100, refuses with 429. Several processes take turns, and share the queue's length.
 */
export function createPasswordHasher(processGroup: ProcessGroup): PasswordHasher {
  const { run } = createWorkQueue({
    workers: atOnce("hash"),
    waitingInAll: shareOf(WAITING_AT_MOST, processGroup),
    refusal: () => tooMany("over_request_rate_limit", "Request rate limit reached", 1),
  });
  const onThread = createHashThreads();
  const queue = <T>(task: () => Promise<T>) => run("", () => processGroup.runInTurn("hash", task));
  return {
    hash: (password) => queue(() => onThread.hash(password.normalize("NFC"))),
    verify: (password, stored, kinds = []) =>
      queue(() => tryKinds(onThread.verify, formsOf(password), stored, kinds)),
  };
}

/**
 * The same characters can be encoded in several ways, and keyboards differ in which they produce (RFC 8265 §4.2.2). Our
 * hashes are of the first form; imported ones may be of another.
 */
function formsOf(password: string): string[] {
  return [...new Set([password.normalize("NFC"), password.normalize("NFD"), password])];
}

async function tryKinds(
  verify: HashThreads["verify"],
  forms: string[],
  stored: string | null,
  kinds: readonly string[],
) {
  const own = kindOf(stored);
  const others = kinds.map(kindOf).filter((kind) => kind !== null && isAffordable(kind)) as string[];
  let matched: string | null = null;
  for (const kind of new Set([CURRENT_KIND, ...others.sort(), ...(own === null ? [] : [own])])) {
    const found = await findMatch(verify, forms, kind === own ? (stored as string) : dummyHash(kind));
    if (kind === own) matched = found;
  }
  return { matches: matched !== null, outdated: own !== CURRENT_KIND || matched !== forms[0] };
}

async function findMatch(
  verify: HashThreads["verify"],
  forms: string[],
  stored: string,
): Promise<string | null> {
  for (const form of forms) if (await verify(form, stored)) return form;
  return null;
}
