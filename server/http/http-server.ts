import type { IncomingMessage, RequestListener, Server } from "node:http";
import { closeServer } from "#backend/http/close-server.ts";
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
  /** The same while a successor listens: kept connections have time to move to it with their next request. */
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
  const answer: RequestListener = (request, response) => listener(request, response);
  const node = createGuardedServer(answer, guards, { requestIdHeader });
  let sockets: SocketHandler | null = null;
  const close = (idleFor?: number) => closeServer(node, () => sockets?.closeSockets(), idleFor);
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
    close: () => close(),
    drain: () => close(DRAIN_MS),
  };
}
