import type { Client } from "#app/features/site/client.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { readNewest, readOlder } from "./chat-queries.ts";
import { readMutes } from "./people-queries.ts";
import type { RoomStore } from "./room-store.ts";

/** Page size, initially and for each step upward; a re-read gets at most a hosted backend's row limit. */
const PAGE = LIMITS.chat.history;
const MOST = 1000;
/** Batches reads: one read this many milliseconds after the first request. */
const TOGETHER = 30;
/** Delay before a failed read is retried, in milliseconds. */
const AGAIN = 3000;

export type RoomReads = {
  /** Schedules a re-read of the shown messages. */
  refresh(): void;
  readOlder(): Promise<void>;
  /**
   * Call before a request, and call the result once its answer is in the room: if the room was read in between, the
   * answer may be older than that read, so it is read once more.
   */
  watch(): () => void;
  stop(): void;
};

export function createRoomReads(client: Client, { current, change }: RoomStore): RoomReads {
  let reads = 0;
  let planned: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function read() {
    reads += 1;
    const number = reads;
    planned = undefined;
    change({ type: "read started", number });
    try {
      const { status, from } = current();
      const newest = readNewest(client, status === "ready" ? MOST : PAGE, from);
      const [page, muted] = await Promise.all([newest, readMutes(client)]);
      change({ type: "read ended", number, muted, ...page });
    } catch {
      change({ type: "read failed", number });
      if (!isStopped && current().read === null) planned ??= setTimeout(read, AGAIN);
    }
  }

  function refresh() {
    isStopped = false;
    clearTimeout(planned);
    planned = setTimeout(read, TOGETHER);
  }

  function watch() {
    const asked = reads;
    return () => asked !== reads && refresh();
  }

  return {
    refresh,
    watch,
    async readOlder() {
      const { from: before, older } = current();
      if (!before || older === "reading") return;
      const settle = watch();
      change({ type: "older started" });
      try {
        change({ type: "older ended", before, ...(await readOlder(client, before, PAGE)) });
        settle();
      } catch {
        change({ type: "older failed" });
      }
    },
    stop() {
      isStopped = true;
      clearTimeout(planned);
      planned = undefined;
    },
  };
}
