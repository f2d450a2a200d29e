import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isReachable, isWildcard } from "#backend/http/reachable.ts";

export type Place = { port: number; host: string | undefined } | { path: string; mode: number };

/**
 * Listens and returns the URL; a socket file left behind by another process is replaced. Rejects if the port is taken.
 */
export async function listen(server: Server, place: Place): Promise<string> {
  if ("path" in place) return listenOnSocket(server, place);
  server.listen(place.port, place.host);
  await once(server, "listening");
  const { address, port: taken, family } = server.address() as AddressInfo;
  const shown = family === "IPv6" ? `[${address}]` : address;
  return `http://${isWildcard(address) ? "localhost" : shown}:${taken}`;
}

async function listenOnSocket(server: Server, { path, mode }: { path: string; mode: number }) {
  if (existsSync(path) && lstatSync(path).isSocket()) unlinkSync(path);
  server.listen(path);
  await once(server, "listening");
  chmodSync(path, mode);
  return `unix:${path}`;
}

/** Whether the server accepts connections: its socket file may be gone while it still listens. */
export async function isReached(server: Server): Promise<boolean> {
  const address = server.address();
  if (address === null) return false;
  return isReachable(
    typeof address === "string" ? { path: address } : { port: address.port, host: hostOf(address) },
  );
}

function hostOf({ address, family }: AddressInfo): string {
  if (!isWildcard(address)) return address;
  return family === "IPv6" ? "::1" : "127.0.0.1";
}
