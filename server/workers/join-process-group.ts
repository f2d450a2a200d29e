import type { ProcessGroup } from "#backend/memory/process-group.ts";
import type { Beginning, Order, Report, Told } from "./messages.ts";

/** A busy process must not hold up the sender longer than this; it gets the message later. */
const HEARD_WITHIN_MS = 1_000;

/** A worker's side of the process group: its `ProcessGroup`, and a handler for the orders that concern it. */
export function joinProcessGroup(
  { size, index }: Beginning,
  send: (report: Report) => void,
): { processGroup: ProcessGroup; obey(order: Order): void } {
  const turns = new Map<number, () => void>();
  const tellings = new Map<number, () => void>();
  const acts = new Map<string, (about: string) => unknown>();
  let counter = 0;

  /** Acknowledges the message even if the handler fails. */
  async function hear({ id, kind, about }: Told): Promise<void> {
    try {
      await acts.get(kind)?.(about);
    } finally {
      send({ report: "heard", id });
    }
  }

  function settle(waiting: Map<number, () => void>, id: number): void {
    waiting.get(id)?.();
    waiting.delete(id);
  }

  const processGroup: ProcessGroup = {
    size,
    index,
    isLeader: index === 0,
    async inTurn(kind, work) {
      const turn = ++counter;
      await new Promise<void>((resolve) => {
        turns.set(turn, resolve);
        send({ report: "turn", turn, kind });
      });
      try {
        return await work();
      } finally {
        send({ report: "over", turn });
      }
    },
    async tell(kind, about) {
      const id = ++counter;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => settle(tellings, id), HEARD_WITHIN_MS);
        tellings.set(id, () => {
          clearTimeout(timer);
          resolve();
        });
        send({ report: "tell", told: { id, kind, about } });
      });
    },
    onTold: (kind, act) => void acts.set(kind, act),
  };
  return {
    processGroup,
    obey(order) {
      if (order.order === "go") settle(turns, order.turn);
      else if (order.order === "heard") settle(tellings, order.id);
      else if (order.order === "hear") void hear(order.told).catch(() => {});
    },
  };
}
