import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished, vi } from "vitest";
import { listen } from "./listen.ts";

/** The URL of a database that accepts connections and stays silent, while the test turns the clock. */
export async function openSilentDatabase(): Promise<{ url: string; opened: Promise<unknown> }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  const opened = once(server, "connection");
  const { port, close } = await listen(server);
  onTestFinished(async () => {
    vi.useRealTimers();
    for (const socket of sockets) socket.destroy();
    await close();
  });
  return { url: `postgres://nobody@127.0.0.1:${port}/none`, opened };
}
