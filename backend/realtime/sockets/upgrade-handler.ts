import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { networkBehind } from "#backend/http/client-network.ts";
import type { Upgrade } from "#backend/http/guarded-server.ts";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { createSlots } from "#backend/memory/slots.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { identify, noKey } from "../access/identify.ts";
import type { Version } from "../protocol/message.ts";
import type { RealtimeConfig } from "../realtime-config.ts";
import { RefusedError } from "../refused-error.ts";
import type { Admission } from "./connection.ts";

const VERSIONS: readonly string[] = ["1.0.0", "2.0.0"] satisfies Version[];

const PATH = /^\/realtime\/v1\/websocket(\?|$)/;

export type UpgradeHandlerOptions = {
  config: RealtimeConfig;
  verifier: TokenVerifier;
  /** Logs an event for the operator. */
  note: (what: LogText) => void;
};

/**
 * Admits clients with a valid API key while there is capacity; others are refused with a reason before any frame. Pages
 * of any origin may connect: only the key and tokens matter, and no cookie is read.
 */
export function createUpgradeHandler(
  { config, verifier, note }: UpgradeHandlerOptions,
  onOpen: (socket: WebSocket, wire: Duplex, admission: Admission) => void,
): { upgrade: Upgrade; close(): void } {
  const server = new WebSocketServer({
    noServer: true,
    // Compressing short messages saves little and costs memory per client.
    perMessageDeflate: false,
    maxPayload: config.maxPayloadBytes,
    clientTracking: false,
  });
  const slots = createSlots({ most: config.maxConnections, mostPerNetwork: config.maxConnectionsPerAddress });
  let closed = false;

  function findRefusal(url: string, network: string): RefusedError | null {
    if (!PATH.test(url)) return new RefusedError("There is no websocket at this path", 404);
    if (closed) return new RefusedError("RealtimeRestarting: Realtime is restarting, please standby", 503);
    const lack = slots.findLack(network);
    if (lack === null) return null;
    const what = lack === "all" ? "connected users" : "connections from this address";
    return new RefusedError(`ConnectionRateLimitReached: Too many ${what}`, 429);
  }

  const upgrade: Upgrade = (request, socket, head, refuse) => {
    socket.on("error", destroyBroken);
    const network = networkBehind(request, config.addressHeader);
    const refusal = findRefusal(request.url ?? "", network);
    if (refusal?.status === 429) note(logText`a connection was refused: ${fromOperator(refusal.message)}`);
    if (refusal) return refuse(refusal.status, { error: refusal.message });
    // Before anything is awaited, so that concurrent upgrades count.
    socket.once("close", slots.take(network));
    admit(request, verifier)
      .then((admitted) => {
        const admission = { ...admitted, network };
        server.handleUpgrade(request, socket, head, (webSocket) => onOpen(webSocket, socket, admission));
      })
      .catch((cause: unknown) => {
        const isKnown = cause instanceof RefusedError;
        const { status, message } = isKnown
          ? cause
          : new RefusedError("The request is no websocket handshake");
        refuse(status, { error: message });
      });
  };

  return {
    upgrade,
    close() {
      closed = true;
      server.close();
    },
  };
}

/**
 * Without it, a client that disconnects during the handshake would crash the process. A named function, since the
 * listener lives as long as the socket and a closure would keep the request in memory.
 */
function destroyBroken(this: Duplex): void {
  this.destroy();
}

async function admit(request: IncomingMessage, verifier: TokenVerifier): Promise<Omit<Admission, "network">> {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const version = query.get("vsn") ?? "1.0.0";
  if (!VERSIONS.includes(version)) throw new RefusedError(`There is no protocol version ${version}`);
  const key = request.headers["x-api-key"] ?? query.get("apikey");
  if (typeof key !== "string" || key === "") throw noKey();
  return { version: version as Version, identity: await identify(verifier, key) };
}
