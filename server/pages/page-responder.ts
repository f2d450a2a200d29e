import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_NETWORK, networkBehind } from "#backend/http/client-network.ts";
import { drain } from "#backend/http/drain.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { logText } from "#backend/log/log-text.ts";
import { sendBusy } from "../http/busy-page.ts";
import { sendPrepared } from "../http/prepared-content.ts";
import { BodyTooLargeError, toWebRequest } from "../http/web-request.ts";
import type { PageCache, Rendered } from "./page-cache.ts";
import { toPageKey } from "./page-key.ts";
import { type SiteHandler, toOnce } from "./render-page.ts";
import { type Admit, TooBusyError } from "./render-queue.ts";

/** No page's path is longer, and the router's time grows with the square of the length. */
const LONGEST_PATH = 2_048;

/** Answers all page requests. */
export type PageResponder = {
  /** Answers from the cache; false if the page is not there. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
};

export function createPageResponder(options: {
  cache: PageCache;
  handle: SiteHandler;
  common: Record<string, string>;
  admit: Admit;
  /** The header in which a proxy passes the client's address. */
  addressHeader: string | null;
  /** Called for each request answered with a publicly cacheable page. */
  onPage(request: IncomingMessage): void;
  log: Log;
}): PageResponder {
  const { cache, handle, common, admit, addressHeader, onPage, log } = options;

  async function answerRead(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "/";
    const key = toPageKey(url);
    if (key === null) return sendEmpty(response, 414, common);
    const plain = withoutTrailingSlash(url);
    if (plain) return redirect(response, plain, common);
    const rendered = await cache.get(key, networkBehind(request, addressHeader));
    if (rendered.kind === "once") return sendOnce(request, response, rendered);
    onPage(request);
    sendPrepared(request, response, rendered.content);
  }

  /** Form posts without JavaScript, and methods that no page supports. */
  async function answerWrite(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const network = networkBehind(request, addressHeader);
    const asked = await toWebRequest(request);
    asked.headers.set(CLIENT_NETWORK, network);
    const answer = await admit(network, () => handle(asked));
    sendOnce(request, response, toOnce(answer, Buffer.from(await answer.arrayBuffer()), common));
  }

  /** Unread bytes of the body would be taken for the next request on the connection. */
  async function refuseLong(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isClean = await drain(request);
    sendEmpty(response, 413, isClean ? common : { ...common, connection: "close" });
  }

  return {
    answerKept(request, response) {
      const kept = cache.find(request.url ?? "/");
      if (!kept) return false;
      onPage(request);
      sendPrepared(request, response, kept);
      return true;
    },
    async answer(request, response) {
      const reads = request.method === "GET" || request.method === "HEAD";
      // The Fetch standard's `Request` does not allow TRACE.
      if (request.method === "TRACE") return sendEmpty(response, 405, common);
      if (splitAddress(request.url ?? "/").path.length > LONGEST_PATH)
        return sendEmpty(response, 414, common);
      try {
        await (reads ? answerRead(request, response) : answerWrite(request, response));
      } catch (error) {
        if (error instanceof BodyTooLargeError) return await refuseLong(request, response);
        if (error instanceof TooBusyError) return sendBusy(response, error.status, common);
        log(logText`A page failed: ${describeCause(error)}`, "error");
        if (!response.headersSent) sendEmpty(response, 500, common);
        else response.destroy();
      }
    },
  };
}

function sendOnce(
  request: IncomingMessage,
  response: ServerResponse,
  rendered: Rendered & { kind: "once" },
): void {
  response.writeHead(
    rendered.status,
    [...rendered.headers, ["content-length", String(rendered.body.length)]].flat(),
  );
  response.end(request.method === "HEAD" ? undefined : rendered.body);
}

function sendEmpty(response: ServerResponse, status: number, common: Record<string, string>): void {
  response.writeHead(status, { ...common, "content-length": "0", "cache-control": "no-store" }).end();
}

function redirect(response: ServerResponse, location: string, common: Record<string, string>): void {
  response.writeHead(308, { ...common, location, "content-length": "0" }).end();
}

/** Each page has one address: `/values/` redirects to `/values`, on this site only. */
function withoutTrailingSlash(url: string): string | null {
  const { path, query } = splitAddress(url);
  if (path === "/" || !path.endsWith("/")) return null;
  // Browsers treat a backslash as a slash: two of either at the start would name another host.
  const plain = `/${path.replace(/^[/\\]+|\/+$/g, "")}`;
  return query ? `${plain}?${query}` : plain;
}
