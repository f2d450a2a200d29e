import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { withClient } from "./with-client.ts";

test("a database that accepts the connection and stays silent fails after 30 seconds", async () => {
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
  const outcome = withClient(
    `postgres://nobody@127.0.0.1:${port}/none`,
    "test",
    async () => "answered",
  ).catch((error: unknown) => error);
  await opened;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(await Promise.race([outcome, Promise.resolve("still waiting")])).toBe("still waiting");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await outcome).toMatchObject({ code: "ETIMEDOUT", message: "it did not answer within 30 s" });
});
