import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connectDatabase } from "#backend/postgres/database.ts";
import { createStorage } from "#backend/storage/create-storage.ts";
import { createDiskStore } from "#backend/storage/files/disk-store.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { jwtSecret, type StorageTestServer } from "./storage-server.ts";

type Place = Pick<StorageTestServer, "databaseUrls" | "folder">;

/** Another backend on a test server's database and folder, in a process of its own, to be killed. */
export async function serveApart({
  databaseUrls,
  folder,
}: Place): Promise<{ process: ChildProcess; url: string }> {
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrls.authenticator,
    WORK_FOLDER: folder,
    JWT_SECRET: jwtSecret,
  };
  const script = join(import.meta.dirname, "../serve-storage.ts");
  const child = spawn(process.execPath, [script], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout as NodeJS.ReadableStream, "data");
  return { process: child, url: `http://127.0.0.1:${String(port).trim()}` };
}

/** Sweeps as a later start would, with no file within the grace period; returns what that logs. */
export async function sweepEverything({ databaseUrls, folder }: Place): Promise<string[]> {
  const logged: string[] = [];
  const database = connectDatabase({ url: databaseUrls.authenticator });
  const storage = await createStorage({
    database,
    verifier: createTokenVerifier({ secret: jwtSecret }),
    store: createDiskStore(join(folder, "files")),
    workFolder: folder,
    secret: jwtSecret,
    orphanGrace: 0,
    log: (line) => logged.push(line),
  });
  await storage.sweep();
  await storage.close();
  await database.close();
  return logged;
}
