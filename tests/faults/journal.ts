import { appendFileSync, writeFileSync } from "node:fs";

/** What people do while things break. */
export const ACTS = ["message", "trade", "removal", "value", "file", "page"] as const;
export type Act = (typeof ACTS)[number];

/** `unknown`: there was no answer, or one that says that something failed, so that it may be stored or not. */
type Answer = "acknowledged" | "refused" | "unknown";

export type Entry = {
  /** Milliseconds since 1970. */
  at: number;
  person: string;
  act: Act;
  /** Of what: a text, a trade's id, an item, the name of a file, a path. */
  of: string;
  /** What it is to be from then on, where that can change: a value, the digest of a file. */
  to: string;
  outcome: "asked" | Answer;
  /** What an answer other than a good one said. */
  why?: string;
};

export type Journal = {
  readonly entries: readonly Entry[];
  /** Notes that it is asked for, and what came back. */
  follow(what: Omit<Entry, "at" | "outcome">, ask: () => Promise<Told>): Promise<Answer>;
};

export type Told = { answer: Answer; why?: string };

/** Each line is on disk before what follows it is asked for. */
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
