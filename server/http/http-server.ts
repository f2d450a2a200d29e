import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Server as Listener } from "node:net";
import { closeServer, FINISH_WITHIN_MS } from "#backend/http/close-server.ts";
import { createGuardedServer, takeUpgrades, type Upgrade } from "#backend/http/guarded-server.ts";
import { type Listening, listeningOf, listenOn, type Place } from "./listen-on.ts";

/** Accepts WebSockets. */
export type SocketHandler = {
  upgrade: Upgrade;
  /** Sends every WebSocket a close. */
  closeSockets(): void;
};

/** The site's public HTTP server. */
export type HttpServer = {
  node: Server;
  /** Resolves to the address to show to the operator. */
  listen(listener: RequestListener, where: Place, taken?: Listening | null): Promise<string>;
  /** The listening socket, for a successor to listen on. */
  listening(): Listening | null;
  /** Lets the handler take upgrades, except those taken by someone else. */
  acceptUpgrades(sockets: SocketHandler, isTaken?: (request: IncomingMessage) => boolean): void;
  /** Stops accepting connections, and closes once the requests in progress are done. */
  close(): Promise<void>;
  /**
   * The same while a successor listens: each kept-alive connection gets one more response, with `connection: close`,
   * and the client opens another one.
   */
  drain(): Promise<void>;
};

/** A connection idle for this long is unlikely to be used at the very moment when it is closed. */
const DRAIN_MS = 4_000;

/**
 * @param guards headers of every response
 * @param requestIdHeader the header in which a proxy passes the request's id
 */
export function createHttpServer(
  guards: Readonly<Record<string, string>>,
  requestIdHeader: string | null = null,
): HttpServer {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  let isDraining = false;
  const answer: RequestListener = (request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    listener(request, response);
  };
  const node = createGuardedServer(answer, guards, { requestIdHeader });
  let sockets: SocketHandler | null = null;
  return {
    node,
    listen(answering, where, taken = null) {
      listener = answering;
      return listenOn(node, where, taken);
    },
    listening: () => listeningOf(node),
    acceptUpgrades(accepting, isTaken = () => false) {
      sockets = accepting;
      const upgrade: Upgrade = (request, ...rest) => {
        if (!isTaken(request)) accepting.upgrade(request, ...rest);
      };
      takeUpgrades(node, upgrade, guards, requestIdHeader);
    },
    close: () => closeServer(node, () => sockets?.closeSockets()),
    async drain() {
      isDraining = true;
      // The base class's `close`: that of Node's HTTP server closes idle connections at once.
      const closed = new Promise<void>((resolve) => Listener.prototype.close.call(node, () => resolve()));
      sockets?.closeSockets();
      const timers = [
        setTimeout(() => node.closeIdleConnections(), DRAIN_MS),
        setTimeout(() => node.closeAllConnections(), DRAIN_MS + FINISH_WITHIN_MS),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
