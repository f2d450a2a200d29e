import { LIMITS } from "#domain/text/limits.ts";

/** When messages may leave, so that the service need not refuse them for being too many. */
export type Pace = {
  /** When this one may leave, in milliseconds since 1970; it counts from then on. */
  takeTurn(id: string, now: number): number;
  /** Resolves when its turn has come, or it was given up. */
  comeTo(id: string, turn: number): Promise<void>;
  /** It does not leave, and no longer counts where its turn is still to come. */
  giveUp(id: string): void;
};

/** The service counts from when it stores a message, a little later than it left. */
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
      const left = turn - Date.now();
      if (left <= 0) return;
      await new Promise<void>((resolve) => {
        waiting.set(id, resolve);
        setTimeout(resolve, left);
      });
      waiting.delete(id);
    },
    giveUp(id) {
      turns = turns.filter((each) => each.id !== id || each.turn <= Date.now());
      waiting.get(id)?.();
    },
  };
}
