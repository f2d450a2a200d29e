import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { clientAddress } from "#backend/http/client-address.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { identify, TokenRefusedError } from "./identify.ts";
import type { Version } from "./protocol/message.ts";
import type { RealtimeConfig } from "./realtime-config.ts";

/** A client that was let in. */
export type Admission = { version: Version; identity: Identity };

/** Takes an HTTP upgrade; what follows on the socket is this door's. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const VERSIONS: readonly string[] = ["1.0.0", "2.0.0"] satisfies Version[];

const PATH = /^\/realtime\/v1\/websocket(\?|$)/;

type Refusal = { status: 400 | 401 | 404 | 429 | 503; error: string };

export type DoorOptions = {
  config: RealtimeConfig;
  verifier: TokenVerifier;
  /** What an operator may want to know. */
  note: (what: string) => void;
};

/**
 * Lets in whoever brings a good API key, as long as there is room; anyone else is told why not, before any frame. Pages
 * of any origin may come: the key and the tokens are what counts, and no cookie is read.
 */
export function createSocketDoor(
  { config, verifier, note }: DoorOptions,
  onOpen: (socket: WebSocket, wire: Duplex, admission: Admission) => void,
): { upgrade: Upgrade; close(): void } {
  const server = new WebSocketServer({
    noServer: true,
    // Of short messages it saves little and costs memory for each client.
    perMessageDeflate: false,
    maxPayload: config.maxPayloadBytes,
    clientTracking: false,
  });
  const byAddress = new Map<string, number>();
  let open = 0;
  let closed = false;

  function findRefusal(url: string, address: string): Refusal | null {
    if (!PATH.test(url)) return { status: 404, error: "There is no websocket at this path" };
    if (closed) return { status: 503, error: "RealtimeRestarting: Realtime is restarting, please standby" };
    if (open >= config.maxConnections)
      return { status: 429, error: "ConnectionRateLimitReached: Too many connected users" };
    if ((byAddress.get(address) ?? 0) >= config.maxConnectionsPerAddress)
      return { status: 429, error: "ConnectionRateLimitReached: Too many connections from this address" };
    return null;
  }

  /** A place is taken before anything is awaited: many who come at once count too. */
  function takePlace(address: string): () => void {
    open++;
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
    return () => {
      open--;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    };
  }

  const upgrade: Upgrade = (request, socket, head) => {
    // Without a listener a client that goes away now would end the process.
    socket.on("error", () => socket.destroy());
    const { headers, socket: network } = request;
    const address = clientAddress({ headers, remoteAddress: network.remoteAddress }, config.addressHeader);
    const refusal = findRefusal(request.url ?? "", address);
    if (refusal?.status === 429) note(`a connection was refused: ${refusal.error}`);
    if (refusal) return refuse(socket, refusal);
    socket.once("close", takePlace(address));
    admit(request, verifier)
      .then((admission) => {
        server.handleUpgrade(request, socket, head, (webSocket) => onOpen(webSocket, socket, admission));
      })
      .catch((cause: unknown) => refuse(socket, toRefusal(cause)));
  };

  return {
    upgrade,
    close() {
      closed = true;
      server.close();
    },
  };
}

class HandshakeError extends Error {
  override name = "HandshakeError";
}

async function admit(request: IncomingMessage, verifier: TokenVerifier): Promise<Admission> {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const version = query.get("vsn") ?? "1.0.0";
  if (!VERSIONS.includes(version)) throw new HandshakeError(`There is no protocol version ${version}`);
  const key = request.headers["x-api-key"] ?? query.get("apikey");
  if (typeof key !== "string" || key === "") throw new TokenRefusedError("MissingAPIKey: No API key found");
  return { version: version as Version, identity: await identify(verifier, key) };
}

function toRefusal(cause: unknown): Refusal {
  if (cause instanceof TokenRefusedError) return { status: 401, error: cause.message };
  if (cause instanceof HandshakeError) return { status: 400, error: cause.message };
  return { status: 400, error: "The request is no websocket handshake" };
}

const REASONS = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

function refuse(socket: Duplex, { status, error }: Refusal): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\n` +
      "content-type: application/json; charset=utf-8\r\nconnection: close\r\n" +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
