import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { toNode } from "#backend/http/to-node.ts";
import { readTask, serve } from "./serve.ts";

/** Our backend, served the way the site does it. */
const backend = await createBackend(readTask<BackendOptions>());
serve(toNode(backend));
