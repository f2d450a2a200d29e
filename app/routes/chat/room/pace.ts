import { LIMITS } from "#domain/text/limits.ts";

/** Schedules messages to stay within the service's rate limit. */
export type Pace = {
  /** When this message may be sent, by the monotonic clock; counts toward the limit from then on. */
  takeTurn(id: string, now: number): number;
  /** Resolves when it may be sent, or when it was given up. */
  comeTo(id: string, turn: number): Promise<void>;
  /** Gives it up; it no longer counts if its time has not come. */
  giveUp(id: string): void;
};

/** The service counts from when it stores a message, slightly after it was sent. */
const SLACK = 300;

export function createPace(): Pace {
  const { perWindow, windowSeconds } = LIMITS.chat;
  let turns: { id: string; turn: number }[] = [];
  const waiting = new Map<string, () => void>();

  return {
    takeTurn(id, now) {
      const before = turns.at(-perWindow);
      const turn = before ? Math.max(now, before.turn + windowSeconds * 1000 + SLACK) : now;
      turns = [...turns.slice(1 - 4 * perWindow), { id, turn }];
      return turn;
    },
    async comeTo(id, turn) {
      const left = turn - performance.now();
      if (left <= 0) return;
      await new Promise<void>((resolve) => {
        waiting.set(id, resolve);
        setTimeout(resolve, left);
      });
      waiting.delete(id);
    },
    giveUp(id) {
      turns = turns.filter((each) => each.id !== id || each.turn <= performance.now());
      waiting.get(id)?.();
    },
  };
}
