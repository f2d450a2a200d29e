import { type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { RefusedError } from "../refused-error.ts";

type Right = { read: boolean; write: boolean };

/** A user's rights in a private channel; without `payload`, presence may carry only the user's own id. */
export type Rights = { broadcast: Right; presence: Right & { payload: boolean } };

/** A channel to check; the public and the private channel of the same name are distinct. */
type Topic = { name: string; isPrivate: boolean };

/**
 * Evaluates the policies on `realtime.messages` (SELECT to receive, INSERT to send) for a user in a channel. Public
 * channels grant everything, if public channels are allowed.
 * @throws RefusedError 403 if they are not
 */
export type ReadRights = (topic: Topic, identity: Identity) => Promise<Rights>;

const OPEN_RIGHTS: Rights = {
  broadcast: { read: true, write: true },
  presence: { read: true, write: true, payload: true },
};

type ReadRightsOptions = {
  database: Database;
  /** Whether only private channels are allowed. */
  privateOnly: boolean;
  log: (line: LogText) => void;
};

type Question = {
  name: string;
  identity: Identity;
  resolve: (rights: Rights) => void;
  reject: (cause: unknown) => void;
};

const refusal = () => new RefusedError("PrivateOnly: This project only allows private channels", 403);

const MAX_BATCH = 200;

/** Checks that arrive while a query is running are batched into the next one. */
export function createReadRights({ database, privateOnly, log }: ReadRightsOptions): ReadRights {
  let waiting: Question[] = [];
  let asking = false;

  async function askAll(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const questions = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await ask(database, questions, log);
    }
    asking = false;
  }

  return async ({ name, isPrivate }, identity) => {
    if (!isPrivate && privateOnly) throw refusal();
    if (!isPrivate) return OPEN_RIGHTS;
    return new Promise((resolve, reject) => {
      waiting.push({ name, identity, resolve, reject });
      if (!asking) void askAll();
    });
  };
}

async function ask(database: Database, questions: Question[], log: (line: LogText) => void): Promise<void> {
  const list = (values: string[]) => JSON.stringify(values);
  const values = [
    list(questions.map(({ name }) => name)),
    list(questions.map(({ identity }) => identity.role)),
    list(questions.map(({ identity }) => identity.claimsText)),
  ];
  try {
    const text = "select answer from backend.rights_in_topics($1, $2, $3) as answer";
    // The function attempts inserts, so the transaction is rolled back.
    const rows = await database.batch([{ text, values }], { undo: true });
    questions.forEach(({ resolve }, index) => void resolve(toRights(rows[index]?.answer ?? "")));
  } catch (cause) {
    // A failure in one check must not fail the rest of the batch.
    if (cause instanceof DatabaseError && questions.length > 1) {
      for (const question of questions) await ask(database, [question], log);
      return;
    }
    log(logText`authorization could not be checked (${quoteScrubbed((cause as Error).message)})`);
    for (const { reject } of questions) reject(cause);
  }
}

/** Parses `br bw pr pw pp`: broadcast read/write, presence read/write, presence payload; anything missing is denied. */
function toRights(answer: string): Rights {
  const has = (mark: string) => answer.includes(mark);
  return {
    broadcast: { read: has("br"), write: has("bw") },
    presence: { read: has("pr"), write: has("pw"), payload: has("pp") },
  };
}
