import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeFault } from "../configuration/start-error.ts";
import { requireSessions } from "./require-sessions.ts";

test("a database that accepts the connection and stays silent is told after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    vi.useRealTimers();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await once(silent, "listening");
  const { port } = silent.address() as { port: number };
  const opened = once(silent, "connection");
  const outcome = requireSessions(`postgres://nobody@127.0.0.1:${port}/none`, "DATABASE_URL").catch(
    describeFault,
  );
  await opened;
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await outcome).toBe("A server cannot be reached: it did not answer within 30 s.");
});
