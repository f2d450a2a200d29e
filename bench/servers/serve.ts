import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free port, reports it to `startServer`, and stops on its signal. */
export function serve(listener: RequestListener): Server {
  const server = createServer(listener).listen(0, "127.0.0.1", () => {
    console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.once("SIGTERM", () => process.exit());
  return server;
}

/** The task passed to `startServer`. */
export function readTask<Task>(): Task {
  return JSON.parse(readFileSync(0, "utf8"));
}
