import type { RequestListener, ServerResponse } from "node:http";
import { networkBehind } from "#backend/http/client-network.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { createSlots } from "#backend/memory/slots.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import type { PageSubject } from "../pages/page-subject.ts";

/** Notifies open pages that their data has changed. */
export type ChangeStream = {
  listener: RequestListener;
  /** Number of connected pages. */
  open(): number;
  /** Ends every stream and accepts no new ones. */
  hangUp(): void;
};

/** Changes within this time are one event: an import of a thousand rows notifies once. */
const GATHER_MS = 50;
/** Below the one-minute idle timeout of common proxies. */
const HEARTBEAT_MS = 25_000;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY_MS = 4_000;
const NEVER_LIVE_RETRY_MS = 86_400_000;
/** Of a network as many as realtime takes: otherwise one could keep all others from theirs. */
const MOST = { most: 20_000, mostPerNetwork: 1_000 };
/** Bytes buffered for a client that does not read; an event has about thirty. */
const MAX_BUFFERED = 4_096;
/** Pages read this shortly after the last change are notified too, since clocks of several machines differ a little. */
const CLOCK_SKEW_MS = 1_000;

const SUBJECTS: readonly PageSubject[] = ["catalogue", "community"];
const eventsOf = (subjects: readonly PageSubject[]) =>
  subjects.map((subject) => `event: ${subject}\ndata:\n\n`).join("");

/**
 * Server-sent events (HTML, 9.2): an event is named after the subject and has no content, since the page fetches its
 * data as usual. A page that passes the time it was read, `?since=` in milliseconds, gets missed events at once. With a
 * backend without change notifications, browsers ask again only after a day.
 */
export function createChangeStream(
  { live, onChange }: Pick<BackendConnection, "live" | "onChange">,
  common: Record<string, string>,
  { addressHeader }: { addressHeader: string | null },
): ChangeStream {
  const streams = new Set<ServerResponse>();
  const slots = createSlots(MOST);
  const changed = new Set<PageSubject>();
  let gathering: NodeJS.Timeout | undefined;
  // Changes before this process started are unknown.
  const lastChange: Record<PageSubject, number> = { catalogue: Date.now(), community: Date.now() };
  let hasHungUp = false;

  function send(text: string): void {
    for (const stream of streams) {
      if (stream.writableLength > MAX_BUFFERED) stream.destroy();
      else stream.write(text);
    }
  }

  function flush(): void {
    gathering = undefined;
    send(eventsOf([...changed]));
    changed.clear();
  }

  onChange((subject) => {
    const subjects = subject ? [subject] : SUBJECTS;
    for (const each of subjects) lastChange[each] = Date.now();
    if (streams.size === 0) return;
    for (const each of subjects) changed.add(each);
    gathering ??= setTimeout(flush, GATHER_MS);
  });

  /** The events missed by a page that was read at `?since=`. */
  function missedBy(url: string): string {
    const since = new URLSearchParams(splitAddress(url).query).get("since");
    if (since === null) return "";
    // A time in the future means the clock was set back since: which changes came after it is unknown.
    const isLater = Number(since) > Date.now() + CLOCK_SKEW_MS;
    return eventsOf(
      SUBJECTS.filter((each) => isLater || !(lastChange[each] + CLOCK_SKEW_MS < Number(since))),
    );
  }
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT_MS).unref();

  return {
    listener(request, response) {
      const network = networkBehind(request, addressHeader);
      if (slots.findLack(network)) {
        return void response.writeHead(503, { ...common, "content-length": "0", connection: "close" }).end();
      }
      response.writeHead(200, {
        ...common,
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      if (request.method === "HEAD") return void response.end();
      // Browsers stop reconnecting after an error, so answer with a retry: the next attempt reaches another process.
      if (hasHungUp) return void response.end(`retry: ${RETRY_MS}\n\n`);
      // Not 204, which a page cannot tell from a proxy's error, and so would try again.
      if (!live) return void response.end(`retry: ${NEVER_LIVE_RETRY_MS}\n\n`);
      streams.add(response);
      const giveBack = slots.take(network);
      response.on("close", () => {
        streams.delete(response);
        giveBack();
      });
      response.write(`retry: ${RETRY_MS}\n\n${missedBy(request.url ?? "")}`);
    },
    open: () => streams.size,
    hangUp() {
      hasHungUp = true;
      clearInterval(heartbeat);
      clearTimeout(gathering);
      for (const stream of streams) stream.end();
    },
  };
}
