import { findBucket } from "../../objects/bucket-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { notEnabled } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

/** GET, PUT and DELETE /bucket/{bucket}/lifecycle: rules are for former versions, of which none is kept. */
export async function lifecycle(call: Call, service: StorageService): Promise<Reply> {
  await findBucket(service, await call.actor(), call.params.bucket as string);
  throw notEnabled("Object versioning");
}
