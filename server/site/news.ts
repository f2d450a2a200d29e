import type { RequestListener, ServerResponse } from "node:http";
import type { BackendConnection } from "../connection/backend-connection.ts";
import type { PageSubject } from "../pages/page-subject.ts";

/** Where open pages listen. */
export const NEWS_PATH = "/news";

/** Tells open pages that what they show has changed. */
export type News = {
  listener: RequestListener;
  /** Ends every stream, and takes no new one. */
  hangUp(): void;
};

/** What comes at once is told once: a thousand imported rows are one piece of news. */
const GATHER_MS = 50;
/** Below the minute after which proxies end a stream on which nothing is said. */
const SIGN_OF_LIFE_MS = 25_000;
/** How long a browser waits before it comes back, in milliseconds. */
const RETRY_MS = 4_000;
const MAX_STREAMS = 20_000;
/** Bytes that wait for a page that reads nothing; each piece of news has about thirty. */
const MAX_WAITING = 4_096;

/** What was read so shortly after the last change is asked for again: clocks of several machines differ a little. */
const DOUBT_MS = 1_000;

const SUBJECTS: readonly PageSubject[] = ["catalogue", "community"];
const eventOf = (subject: PageSubject) => `event: ${subject}\ndata:\n\n`;

/**
 * Server-sent events (HTML, 9.2): an event named after the subject, without content, since the page reads its data
 * where it always does. A page that says since when it knows, `?since=` in milliseconds, is told at once of what changed
 * in between. Where the backend brings no news the answer is 204, after which a browser never asks again.
 */
export function createNews(
  { live, onChange }: Pick<BackendConnection, "live" | "onChange">,
  common: Record<string, string>,
): News {
  const streams = new Set<ServerResponse>();
  const changed = new Set<PageSubject>();
  let gathering: NodeJS.Timeout | undefined;
  // What changed before this process was there to hear of it is not known.
  const lastChange: Record<PageSubject, number> = { catalogue: Date.now(), community: Date.now() };
  let hasHungUp = false;

  function say(text: string): void {
    for (const stream of streams) {
      if (stream.writableLength > MAX_WAITING) stream.destroy();
      else stream.write(text);
    }
  }

  function tell(): void {
    gathering = undefined;
    say([...changed].map(eventOf).join(""));
    changed.clear();
  }

  onChange((subject) => {
    const subjects = subject ? [subject] : SUBJECTS;
    for (const each of subjects) lastChange[each] = Date.now();
    if (streams.size === 0) return;
    for (const each of subjects) changed.add(each);
    gathering ??= setTimeout(tell, GATHER_MS);
  });

  /** What a page does not know that was read at `?since=`. */
  function missedBy(url: string): string {
    const since = new URLSearchParams(url.split("?", 2)[1]).get("since");
    if (since === null) return "";
    return SUBJECTS.filter((each) => !(lastChange[each] + DOUBT_MS < Number(since)))
      .map(eventOf)
      .join("");
  }
  const signs = setInterval(() => say(":\n\n"), SIGN_OF_LIFE_MS).unref();

  return {
    listener(request, response) {
      if (!live) return void response.writeHead(204, common).end();
      if (hasHungUp || streams.size >= MAX_STREAMS) {
        return void response.writeHead(503, { ...common, "content-length": "0", connection: "close" }).end();
      }
      response.writeHead(200, {
        ...common,
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      if (request.method === "HEAD") return void response.end();
      streams.add(response);
      response.on("close", () => streams.delete(response));
      response.write(`retry: ${RETRY_MS}\n\n${missedBy(request.url ?? "")}`);
    },
    hangUp() {
      hasHungUp = true;
      clearInterval(signs);
      clearTimeout(gathering);
      for (const stream of streams) stream.end();
    },
  };
}
