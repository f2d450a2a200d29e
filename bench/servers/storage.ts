import { join } from "node:path";
import { createBackend } from "#backend/backend.ts";
import { toNode } from "#backend/http/to-node.ts";
import { createDiskStore } from "#backend/storage/files/disk-store.ts";
import { readTask, serve } from "./serve.ts";

export type StorageTask = { databaseUrl: string; jwtSecret: string; workFolder: string };

/** storage/v1 as on the site, but without a cache of rendered images: each is rendered again. */
const { workFolder, ...options } = readTask<StorageTask>();
const backend = await createBackend({
  ...options,
  databaseConnections: 4,
  requireApiKey: false,
  rest: null,
  realtime: null,
  storage: {
    workFolder,
    store: createDiskStore(join(workFolder, "files")),
    images: { workers: 1, waiting: 64, maxPixels: 50_000_000, cacheBytes: 0 },
    log: (line) => console.error(line),
  },
});
serve(toNode(backend));
