import { join } from "node:path";
import type { BackendOptions } from "#backend/backend.ts";
import type { Log } from "#backend/log/log.ts";
import { openStore } from "#backend/storage/files/open-store.ts";
import type { ServerConfig } from "./config.ts";

/** User pictures and change pictures: children upload them, and others see them. */
const REENCODED_BUCKETS = ["avatar-uploads", "avatars", "change-uploads", "change-pictures"];

/** Where uploaded files are stored, and their maximum size. */
export async function storageOptions(
  { dataDir, storage: { s3, s3AccessKey, fileSizeLimit } }: ServerConfig,
  log: Log,
): Promise<NonNullable<BackendOptions["storage"]>> {
  const workFolder = join(dataDir, "storage");
  return {
    workFolder,
    store: await openStore(join(workFolder, "files"), s3),
    log,
    reencodedBuckets: REENCODED_BUCKETS,
    ...(fileSizeLimit !== null && { fileSizeLimit }),
    ...(s3AccessKey && { s3Keys: { accessKeys: [s3AccessKey], sessionSecrets: [] } }),
  };
}
