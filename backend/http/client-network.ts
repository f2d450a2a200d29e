import type { IncomingMessage } from "node:http";
import { clientAddress, GONE } from "./client-address.ts";
import type { HttpRequest } from "./http-message.ts";
import { networkOf } from "./network-of.ts";

/** The header in which database functions find the client's network, in `request.headers`. */
export const CLIENT_NETWORK = "x-client-network";

/** The client's network, which anonymous rate limits count by. */
export function clientNetwork(
  request: Parameters<typeof clientAddress>[0],
  addressHeader: string | null,
): string {
  return networkOf(clientAddress(request, addressHeader)) ?? "";
}

/** The network of a request that arrived at a server. */
export function networkBehind({ headers, socket }: IncomingMessage, addressHeader: string | null): string {
  return clientNetwork({ headers, remoteAddress: socket.remoteAddress ?? GONE }, addressHeader);
}

/** Sets the header to the client's network, overriding the client's own value. In-process callers are trusted. */
export function withClientNetwork(request: HttpRequest, addressHeader: string | null): HttpRequest {
  if (request.remoteAddress === undefined) return request;
  const network = clientNetwork(request, addressHeader);
  return { ...request, headers: { ...request.headers, [CLIENT_NETWORK]: network } };
}
