import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { StartError } from "./start-error.ts";

/** Who takes websockets. */
export type SocketDoor = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Asks everyone on a websocket to leave. */
  closeSockets(): void;
};

/** The socket that visitors reach. */
export type HttpServer = {
  node: Server;
  /** Resolves to the address to tell the operator. */
  listen(listener: RequestListener, where: { port: number; host?: string }): Promise<string>;
  /** Lets the door answer upgrades, but for those that somebody else takes. */
  acceptUpgrades(door: SocketDoor, isTaken?: (request: IncomingMessage) => boolean): void;
  /** Takes no new connection, lets the requests under way finish, and then ends. */
  close(): Promise<void>;
};

/** Longer than the minute for which proxies keep an idle connection, so that none is cut while a request comes. */
const KEEP_ALIVE_MS = 75_000;
const FINISH_WITHIN_MS = 10_000;

export function createHttpServer(): HttpServer {
  const node = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Other offers, such as the `h2c` of Java's and curl's clients, are declined by answering as if there were none.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  });
  let door: SocketDoor | null = null;
  return {
    node,
    listen: (listener, where) => {
      node.on("request", listener);
      return new Promise((resolve, reject) => {
        node.once("error", (error) => reject(toStartError(error, where)));
        node.listen(where, () => resolve(describeAddress(node.address() as AddressInfo, where.host)));
      });
    },
    acceptUpgrades(accepting, isTaken = () => false) {
      door = accepting;
      node.on("upgrade", (request, socket, head) => {
        if (!isTaken(request)) accepting.upgrade(request, socket, head);
      });
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
  };
}

function describeAddress({ port }: AddressInfo, host = "localhost"): string {
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function toStartError(error: NodeJS.ErrnoException, { port, host }: { port: number; host?: string }): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `PORT ${port} is in use by another program: stop that one, or set PORT to a free port.`,
      );
    case "EACCES":
      return new StartError(`PORT ${port} may not be opened by this user: set PORT to 1024 or above.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`HOST ${host} is no address of this machine.`);
    default:
      return error;
  }
}
