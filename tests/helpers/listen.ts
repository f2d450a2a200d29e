import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Where a server listens. */
export type Listening = {
  url: string;
  port: number;
  /** Ends what is under way over HTTP as well. Twice is once. */
  close(): Promise<void>;
};

/** Lets a server listen on this machine, on a port of its choice or this one. */
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
