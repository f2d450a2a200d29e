import type { RequestListener, ServerResponse } from "node:http";
import { splitAddress } from "#backend/http/split-address.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import type { PageSubject } from "../pages/page-subject.ts";

/** Notifies open pages that what they show has changed. */
export type ChangeStream = {
  listener: RequestListener;
  /** Pages that listen. */
  open(): number;
  /** Ends every stream, and takes no new one. */
  hangUp(): void;
};

/** Changes within this time are one event: an import of a thousand rows notifies once. */
const GATHER_MS = 50;
/** Below the minute after which proxies close an idle stream. */
const HEARTBEAT_MS = 25_000;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY_MS = 4_000;
const MAX_STREAMS = 20_000;
/** Bytes buffered for a page that reads nothing; an event has about thirty. */
const MAX_BUFFERED = 4_096;
/** What was read so shortly after the last change is read again: clocks of several machines differ a little. */
const CLOCK_SKEW_MS = 1_000;

const SUBJECTS: readonly PageSubject[] = ["catalogue", "community"];
const eventsOf = (subjects: readonly PageSubject[]) =>
  subjects.map((subject) => `event: ${subject}\ndata:\n\n`).join("");

/**
 * Server-sent events (HTML, 9.2): an event named after the subject, without content, since the page reads its data
 * where it always does. A page that states when it was read, `?since=` in milliseconds, gets what changed since then at
 * once. A backend without change notifications answers 204, after which a browser does not reconnect.
 */
export function createChangeStream(
  { live, onChange }: Pick<BackendConnection, "live" | "onChange">,
  common: Record<string, string>,
): ChangeStream {
  const streams = new Set<ServerResponse>();
  const changed = new Set<PageSubject>();
  let gathering: NodeJS.Timeout | undefined;
  // What changed before this process started is unknown.
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

  /** The events that a page missed that was read at `?since=`. */
  function missedBy(url: string): string {
    const since = new URLSearchParams(splitAddress(url).query).get("since");
    if (since === null) return "";
    // A page of the future was read before the clock was set back: what changed since then cannot be told.
    const isLater = Number(since) > Date.now() + CLOCK_SKEW_MS;
    return eventsOf(
      SUBJECTS.filter((each) => isLater || !(lastChange[each] + CLOCK_SKEW_MS < Number(since))),
    );
  }
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT_MS).unref();

  return {
    listener(request, response) {
      if (!live) return void response.writeHead(204, common).end();
      if (streams.size >= MAX_STREAMS) {
        return void response.writeHead(503, { ...common, "content-length": "0", connection: "close" }).end();
      }
      if (hasHungUp) response.shouldKeepAlive = false;
      response.writeHead(200, {
        ...common,
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      if (request.method === "HEAD") return void response.end();
      // A refusal would be the last that a browser asks: so it comes again, to another process.
      if (hasHungUp) return void response.end(`retry: ${RETRY_MS}\n\n`);
      streams.add(response);
      response.on("close", () => streams.delete(response));
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
