import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import type { Identity } from "#backend/tokens/identity.ts";

type Right = { read: boolean; write: boolean };

/** What somebody may do in a private channel. */
export type Rights = { broadcast: Right; presence: Right };

/** Asks the policies on `realtime.messages` (SELECT to hear, INSERT to speak) what somebody may do in a channel. */
export type TopicRights = {
  /** Rejects when the database cannot say. */
  of(name: string, identity: Identity): Promise<Rights>;
};

type Question = {
  name: string;
  identity: Identity;
  resolve: (rights: Rights) => void;
  reject: (cause: unknown) => void;
};

const AT_ONCE = 200;

/** Questions that come while the database is busy with the last ones are put together, in one round trip. */
export function createTopicRights(database: Database, log: (line: string) => void): TopicRights {
  let waiting: Question[] = [];
  let asking = false;

  async function askAll(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const questions = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      await ask(database, questions, log);
    }
    asking = false;
  }

  return {
    of: (name, identity) =>
      new Promise((resolve, reject) => {
        waiting.push({ name, identity, resolve, reject });
        if (!asking) void askAll();
      }),
  };
}

async function ask(database: Database, questions: Question[], log: (line: string) => void): Promise<void> {
  const list = (values: string[]) => JSON.stringify(values);
  const values = [
    list(questions.map(({ name }) => name)),
    list(questions.map(({ identity }) => identity.role)),
    list(questions.map(({ identity }) => identity.claimsText)),
  ];
  try {
    const text = "select answer from realtime.rights_in_topics($1, $2, $3) as answer";
    // The function tries things out; nothing of that may stay.
    const rows = await database.batch([{ text, values }], { undo: true });
    questions.forEach(({ resolve }, index) => void resolve(toRights(rows[index]?.answer ?? "")));
  } catch (cause) {
    // One question that the database cannot read must not cost the others their answer.
    if (cause instanceof DatabaseError && questions.length > 1) {
      for (const question of questions) await ask(database, [question], log);
      return;
    }
    log(`rights could not be asked for (${(cause as Error).message})`);
    for (const { reject } of questions) reject(cause);
  }
}

/** `br bw pr pw`: broadcast and presence, read and write; what is missing is not allowed. */
function toRights(answer: string): Rights {
  const has = (mark: string) => answer.includes(mark);
  return {
    broadcast: { read: has("br"), write: has("bw") },
    presence: { read: has("pr"), write: has("pw") },
  };
}
