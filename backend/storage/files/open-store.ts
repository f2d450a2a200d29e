import { createDiskStore } from "./disk-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Options } from "./s3-store.ts";

/** The place for files: an S3 where there is one, else a folder. The client for S3 is only loaded when it is needed. */
export async function openStore(folder: string, s3: S3Options | null): Promise<ObjectStore> {
  if (s3 === null) return createDiskStore(folder);
  const { createS3Store } = await import("./s3-store.ts");
  return createS3Store(s3);
}
