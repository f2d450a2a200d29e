import { findBucket } from "../../objects/bucket-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { notEnabled } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

// Earlier versions of objects are not kept, so versioning cannot be enabled on a bucket.

/** @throws StorageError 403 if versioning is requested */
export function requireNoVersions(status: string | null | undefined): void {
  if (status && status !== "DISABLED") throw notEnabled("Object versioning");
}

/**
 * GET, PUT and DELETE /bucket/{bucket}/lifecycle: lifecycle rules apply to noncurrent versions only.
 * @throws StorageError 403, 404
 */
export async function lifecycle(call: Call, service: StorageService): Promise<Reply> {
  await findBucket(service, await call.actor(), call.params.bucket as string);
  throw notEnabled("Object versioning");
}
