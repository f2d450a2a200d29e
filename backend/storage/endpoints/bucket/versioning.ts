import { findBucket } from "../../objects/bucket-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { notEnabled } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

// No former version of an object is kept, so no bucket may say that it keeps them.

/** @throws StorageError 403 for a bucket that is to keep versions */
export function requireNoVersions(status: string | null | undefined): void {
  if (status && status !== "DISABLED") throw notEnabled("Object versioning");
}

/** GET, PUT and DELETE /bucket/{bucket}/lifecycle: such rules are for former versions. @throws StorageError 403, 404 */
export async function lifecycle(call: Call, service: StorageService): Promise<Reply> {
  await findBucket(service, await call.actor(), call.params.bucket as string);
  throw notEnabled("Object versioning");
}
