import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { takeUpgrades } from "#backend/http/guarded-server.ts";
import { toNode } from "#backend/http/to-node.ts";
import { readTask, serve } from "./serve.ts";

/** Our backend with its websockets, as the site's server puts it on the network. */
const backend = await createBackend(readTask<BackendOptions>());
takeUpgrades(serve(toNode(backend)), backend.upgrade);
