import type { RequestListener, ServerResponse } from "node:http";
import type { BackendConnection } from "./backend-connection.ts";
import type { PageSubject } from "./pages/page-subject.ts";

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

const SUBJECTS: readonly PageSubject[] = ["catalogue", "community"];

/**
 * Server-sent events (HTML, 9.2): an event named after the subject, without content, since the page reads its data
 * where it always does. Where the backend brings no news the answer is 204, after which a browser never asks again.
 */
export function createNews(
  { live, onChange }: Pick<BackendConnection, "live" | "onChange">,
  common: Record<string, string>,
): News {
  const streams = new Set<ServerResponse>();
  const changed = new Set<PageSubject>();
  let gathering: NodeJS.Timeout | undefined;
  let hasHungUp = false;

  function say(text: string): void {
    for (const stream of streams) {
      if (stream.writableLength > MAX_WAITING) stream.destroy();
      else stream.write(text);
    }
  }

  function tell(): void {
    gathering = undefined;
    say([...changed].map((subject) => `event: ${subject}\ndata:\n\n`).join(""));
    changed.clear();
  }

  onChange((subject) => {
    if (streams.size === 0) return;
    for (const each of subject ? [subject] : SUBJECTS) changed.add(each);
    gathering ??= setTimeout(tell, GATHER_MS);
  });
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
      response.write(`retry: ${RETRY_MS}\n\n`);
    },
    hangUp() {
      hasHungUp = true;
      clearInterval(signs);
      clearTimeout(gathering);
      for (const stream of streams) stream.end();
    },
  };
}
