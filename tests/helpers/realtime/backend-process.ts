import { createServer } from "node:http";
import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { takeUpgrades } from "#backend/http/guarded-server.ts";
import { toNode } from "#backend/http/to-node.ts";
import { listen } from "../listen.ts";

/** A backend in its own process, so that it can be killed; its options are the first argument. */
const backend = await createBackend(JSON.parse(process.argv[2] ?? "{}") as BackendOptions);
const server = createServer(toNode(backend));
takeUpgrades(server, backend.upgrade);
const { url } = await listen(server);
process.stdout.write(`${url}\n`);
