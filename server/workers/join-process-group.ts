import type { ProcessGroup } from "#backend/memory/process-group.ts";
import type { Broadcast, Order, Report, StartMessage } from "./messages.ts";

/** A busy process must not hold up the sender longer than this; it gets the message later. */
const ACKNOWLEDGE_MS = 1_000;

/** A worker's side of the process group: its `ProcessGroup`, and a handler for the orders that concern it. */
export function joinProcessGroup(
  { size, index }: StartMessage,
  send: (report: Report) => void,
): { processGroup: ProcessGroup; obey(order: Order): void } {
  const turns = new Map<number, () => void>();
  const broadcasts = new Map<number, () => void>();
  const acts = new Map<string, (about: string) => unknown>();
  let counter = 0;

  /** Acknowledges the message even if the handler fails. */
  async function receive({ id, kind, about }: Broadcast): Promise<void> {
    try {
      await acts.get(kind)?.(about);
    } finally {
      send({ report: "acknowledged", id });
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
    async runInTurn(kind, work) {
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
    async broadcast(kind, about) {
      const id = ++counter;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => settle(broadcasts, id), ACKNOWLEDGE_MS);
        broadcasts.set(id, () => {
          clearTimeout(timer);
          resolve();
        });
        send({ report: "broadcast", message: { id, kind, about } });
      });
    },
    onBroadcast: (kind, act) => void acts.set(kind, act),
  };
  return {
    processGroup,
    obey(order) {
      if (order.order === "go") settle(turns, order.turn);
      else if (order.order === "acknowledged") settle(broadcasts, order.id);
      else if (order.order === "deliver") void receive(order.message).catch(() => {});
    },
  };
}
