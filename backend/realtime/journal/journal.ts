import { type Sentence, sentence } from "#backend/log/sentence.ts";
/** Tells the operator in lines what happens, and once a minute what goes on happening: a flood does not flood the log. */
export type Journal = {
  /** `what` is one of the service's own sentences, without a client's word in it. */
  note(what: Sentence): void;
  /** How often there was something to note. */
  noted(): number;
  close(): void;
};

const AGAIN_MS = 60_000;

export function createJournal(log: (line: Sentence) => void, againMs = AGAIN_MS): Journal {
  /** Occurrences of each line since it was last logged; after a quiet minute it is logged at once again. */
  const repeated = new Map<Sentence, number>();

  let noted = 0;

  function logRepeated(): void {
    for (const [what, times] of repeated) {
      if (times === 0) repeated.delete(what);
      else {
        log(sentence`${what} (${times} more ${times === 1 ? sentence`time` : sentence`times`})`);
        repeated.set(what, 0);
      }
    }
  }
  const timer = setInterval(logRepeated, againMs);
  timer.unref();

  return {
    noted: () => noted,
    note(what) {
      noted++;
      const times = repeated.get(what);
      repeated.set(what, times === undefined ? 0 : times + 1);
      if (times === undefined) log(what);
    },
    close() {
      clearInterval(timer);
      logRepeated();
    },
  };
}
