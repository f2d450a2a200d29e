import { atOnce, type TurnKind } from "#backend/memory/process-group.ts";

type Asked = { who: number; turn: number };

/** Grants turns to the workers: first come, first served, with a limit per kind that depends on the number of cores. */
export function createTurnScheduler(go: (asked: Asked) => void) {
  const lines = new Map<TurnKind, { busy: Asked[]; waiting: Asked[] }>();

  function advance(kind: TurnKind): void {
    const line = lines.get(kind);
    if (!line) return;
    while (line.busy.length < atOnce(kind)) {
      const next = line.waiting.shift();
      if (!next) break;
      line.busy.push(next);
      go(next);
    }
    if (line.busy.length === 0) lines.delete(kind);
  }

  function drop(isGone: (asked: Asked) => boolean): void {
    for (const [kind, line] of lines) {
      line.busy = line.busy.filter((asked) => !isGone(asked));
      line.waiting = line.waiting.filter((asked) => !isGone(asked));
      advance(kind);
    }
  }

  return {
    ask(who: number, turn: number, kind: TurnKind): void {
      const line = lines.get(kind) ?? { busy: [], waiting: [] };
      lines.set(kind, line);
      line.waiting.push({ who, turn });
      advance(kind);
    },
    end: (who: number, turn: number) => drop((asked) => asked.who === who && asked.turn === turn),
    /** Releases the turns of a worker that has exited. */
    forget: (who: number) => drop((asked) => asked.who === who),
  };
}
