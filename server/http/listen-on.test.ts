import { once } from "node:events";
import { type AddressInfo, createServer, Server } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { findFreePorts } from "./listen-on.ts";

const HOST = "127.0.0.1";

async function takePort() {
  const other = createServer().listen(0, HOST);
  onTestFinished(() => void other.close());
  await once(other, "listening");
  return { port: (other.address() as AddressInfo).port, free: () => other.close() };
}

test.each([
  ["HOST", { port: 0, host: "no such host" }],
  ["METRICS_HOST", { port: 0, host: HOST, metrics: { port: 0, host: "192.0.2.1" } }],
])("a %s of no machine or of another one is refused by its name", async (name, ports) => {
  await expect(findFreePorts(ports)).rejects.toThrow(
    new RegExp(`^${name} (no such host|192.0.2.1) is not an address of this machine\\.$`),
  );
});

test("an operator's port in use is refused by its name", async () => {
  const { port } = await takePort();
  const ports = { port: 0, host: HOST, metrics: { port, host: HOST } };
  await expect(findFreePorts(ports, 0)).rejects.toThrow(
    `METRICS_PORT ${port} is in use by another program: stop that one, or set METRICS_PORT to a free port.`,
  );
});

test("a port that a process is about to leave is waited for", async () => {
  const { port, free } = await takePort();
  const found = findFreePorts({ port, host: HOST });
  setImmediate(free);
  expect(await found).toEqual({ port, operatorPort: null });
});

test("a free port is not listened on, as requests of a waiting proxy would be accepted and dropped", async () => {
  const { port, free } = await takePort();
  free();
  const listen = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => listen.mockRestore());
  expect(await findFreePorts({ port, host: HOST })).toEqual({ port, operatorPort: null });
  expect(listen.mock.calls.map(([{ port: asked }]) => asked)).toEqual([0]);
});
