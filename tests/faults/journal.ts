import { appendFileSync, writeFileSync } from "node:fs";

/** What users do during the faults. */
export const ACTS = ["message", "trade", "removal", "value", "file", "page"] as const;
export type Act = (typeof ACTS)[number];

/** `unknown`: no answer, or an error answer, so it may or may not be stored. */
type Answer = "acknowledged" | "refused" | "unknown";

export type Entry = {
  /** Milliseconds since 1970. */
  at: number;
  person: string;
  act: Act;
  /** The subject: a text, a trade's id, an item, a file name, a path. */
  of: string;
  /** The new state, where it can change: a value, a file's digest. */
  to: string;
  outcome: "asked" | Answer;
  /** The message of an answer that was not a success. */
  why?: string;
};

export type Journal = {
  readonly entries: readonly Entry[];
  /** Records the request, then its outcome. */
  follow(what: Omit<Entry, "at" | "outcome">, ask: () => Promise<ActResult>): Promise<Answer>;
};

export type ActResult = { answer: Answer; why?: string };

/** Each line is flushed to disk before the next request is sent. */
export function openJournal(file: string): Journal {
  const entries: Entry[] = [];
  writeFileSync(file, "");

  function note(entry: Entry): void {
    entries.push(entry);
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
  }

  return {
    entries,
    async follow(what, ask) {
      note({ at: Date.now(), ...what, outcome: "asked" });
      const { answer, ...why } = await ask();
      note({ at: Date.now(), ...what, outcome: answer, ...why });
      return answer;
    },
  };
}
