import type { IncomingMessage } from "node:http";
import { GONE } from "#backend/http/client-address.ts";
import { clientNetwork } from "#backend/http/client-network.ts";

/** The client's network, as in the account rate limits. */
export function networkBehind({ headers, socket }: IncomingMessage, addressHeader: string | null): string {
  return clientNetwork({ headers, remoteAddress: socket.remoteAddress ?? GONE }, addressHeader);
}
