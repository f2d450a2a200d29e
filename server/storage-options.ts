import { join } from "node:path";
import type { BackendOptions } from "#backend/backend.ts";
import { createDiskStore } from "#backend/storage/files/disk-store.ts";
import type { ServerConfig } from "./config.ts";

/** Where uploaded files are, and how much of them there may be. */
export function storageOptions(
  { dataDir }: ServerConfig,
  report: (line: string) => void,
): NonNullable<BackendOptions["storage"]> {
  const workFolder = join(dataDir, "storage");
  return { workFolder, store: createDiskStore(join(workFolder, "files")), log: report };
}
