import { createDiskStore } from "./disk-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Options } from "./s3-store.ts";

/** Opens the file store: S3 if configured, else a folder. The S3 client is loaded only if needed. */
export async function openStore(folder: string, s3: S3Options | null): Promise<ObjectStore> {
  if (s3 === null) return createDiskStore(folder);
  const { createS3Store } = await import("./s3-store.ts");
  return createS3Store(s3);
}
