import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { takeUpgrades } from "#backend/http/guarded-server.ts";
import { toNode } from "#backend/http/to-node.ts";
import { readTask, serve } from "./serve.ts";

/** Our backend with its websockets, served the way the site does it. */
const backend = await createBackend(readTask<BackendOptions>());
takeUpgrades(serve(toNode(backend)), backend.upgrade);
