import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** For a program that cannot say which one it took. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
