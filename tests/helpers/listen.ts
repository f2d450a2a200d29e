import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** A listening server. */
export type Listening = {
  url: string;
  port: number;
  /** Closes the server and its open HTTP connections; safe to call twice. */
  close(): Promise<void>;
};

/** Listens on this machine, on the given port or on any free one. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      if (server instanceof HttpServer) server.closeAllConnections();
      await closed;
    },
  };
}
