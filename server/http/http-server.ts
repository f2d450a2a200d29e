import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Server as Listener } from "node:net";
import { createGuardedServer, takeUpgrades, type Upgrade } from "#backend/http/guarded-server.ts";
import { type Listening, listeningOf, listenOn, type Place } from "./listen-on.ts";

/** Who takes websockets. */
export type SocketDoor = {
  upgrade: Upgrade;
  /** Asks everyone on a websocket to leave. */
  closeSockets(): void;
};

/** The socket that visitors reach. */
export type HttpServer = {
  node: Server;
  /** Resolves to the address to tell the operator. */
  listen(listener: RequestListener, where: Place, taken?: Listening | null): Promise<string>;
  /** What a successor takes to listen at the same socket. */
  listening(): Listening | null;
  /** Lets the door answer upgrades, but for those that somebody else takes. */
  acceptUpgrades(door: SocketDoor, isTaken?: (request: IncomingMessage) => boolean): void;
  /** Takes no new connection, lets the requests under way finish, and then ends. */
  close(): Promise<void>;
  /** The same while a successor listens: whoever keeps a connection is answered on it once more, and told to open another. */
  drain(): Promise<void>;
};

/** Longer than the minute for which proxies keep an idle connection, so that none is cut while a request comes. */
const KEEP_ALIVE_MS = 75_000;
const FINISH_WITHIN_MS = 10_000;
/** Who has not used a connection for so long will hardly do so at the moment at which it is closed. */
const DRAIN_MS = 4_000;

/**
 * @param guards headers of every answer
 * @param requestIdHeader where a proxy names each request
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
  const node = createGuardedServer(answer, guards, {
    requestIdHeader,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Other offers, such as the `h2c` of Java's and curl's clients, are declined by answering as if there were none.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  });
  let door: SocketDoor | null = null;
  return {
    node,
    listen(answering, where, taken = null) {
      listener = answering;
      return listenOn(node, where, taken);
    },
    listening: () => listeningOf(node),
    acceptUpgrades(accepting, isTaken = () => false) {
      door = accepting;
      const upgrade: Upgrade = (request, ...rest) => {
        if (!isTaken(request)) accepting.upgrade(request, ...rest);
      };
      takeUpgrades(node, upgrade, guards, requestIdHeader);
    },
    async close() {
      const closed = new Promise<void>((resolve) => node.close(() => resolve()));
      // Node counts them among the connections that must end first, and never ends them itself.
      door?.closeSockets();
      node.closeIdleConnections();
      const timer = setTimeout(() => node.closeAllConnections(), FINISH_WITHIN_MS);
      await closed;
      clearTimeout(timer);
    },
    async drain() {
      isDraining = true;
      // Not node's own for HTTP, which cuts idle connections at once.
      const closed = new Promise<void>((resolve) => Listener.prototype.close.call(node, () => resolve()));
      door?.closeSockets();
      const timers = [
        setTimeout(() => node.closeIdleConnections(), DRAIN_MS),
        setTimeout(() => node.closeAllConnections(), DRAIN_MS + FINISH_WITHIN_MS),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
