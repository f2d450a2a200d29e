import { clientAddress } from "./client-address.ts";
import type { HttpRequest } from "./http-message.ts";
import { networkOf } from "./network-of.ts";

/** The header by which functions of the database, in `request.headers`, learn from where a request comes. */
export const CLIENT_NETWORK = "x-client-network";

/** What limits of visitors count by: the network that a request comes from. */
export function clientNetwork(
  request: Parameters<typeof clientAddress>[0],
  addressHeader: string | null,
): string {
  return networkOf(clientAddress(request, addressHeader)) ?? "";
}

/** Names the client's network, whatever the client itself says there. Who calls from within the process is believed. */
export function withClientNetwork(request: HttpRequest, addressHeader: string | null): HttpRequest {
  if (request.remoteAddress === undefined) return request;
  const network = clientNetwork(request, addressHeader);
  return { ...request, headers: { ...request.headers, [CLIENT_NETWORK]: network } };
}
