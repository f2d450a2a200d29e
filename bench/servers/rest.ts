import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { toNode } from "#backend/http/to-node.ts";
import { readTask, serve } from "./serve.ts";

/** Our backend, as the site's server puts it on the network. */
const backend = await createBackend(readTask<BackendOptions>());
serve(toNode(backend));
