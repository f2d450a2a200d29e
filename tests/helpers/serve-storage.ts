import { createServer } from "node:http";
import { join } from "node:path";
import { createBackend } from "#backend/backend.ts";
import { toNode } from "#backend/http/to-node.ts";
import { createDiskStore } from "#backend/storage/files/disk-store.ts";
import { listen } from "./listen.ts";

/** A backend in its own process, to be killed. Prints its port once it listens. */
const { DATABASE_URL = "", WORK_FOLDER = "", JWT_SECRET = "" } = process.env;
const backend = await createBackend({
  databaseUrl: DATABASE_URL,
  databaseConnections: 4,
  jwtSecret: JWT_SECRET,
  storage: {
    workFolder: WORK_FOLDER,
    store: createDiskStore(join(WORK_FOLDER, "files")),
    log: (line) => process.stderr.write(`${line}\n`),
  },
});
const { port } = await listen(createServer(toNode(backend)));
process.stdout.write(`${port}\n`);
