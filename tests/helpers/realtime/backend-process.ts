import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { takeUpgrades } from "#backend/http/guarded-server.ts";
import { toNode } from "#backend/http/to-node.ts";

/** A backend in a process of its own, so that it can be killed: its options are the first argument. */
const backend = await createBackend(JSON.parse(process.argv[2] ?? "{}") as BackendOptions);
const server = createServer(toNode(backend));
takeUpgrades(server, backend.upgrade);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
