import { type Actor, runAs } from "../../database/run-as.ts";
import { findBucket } from "../../objects/bucket-row.ts";
import { isHolding, removeBucket } from "../../objects/buckets.ts";
import { OBJECT_COLUMNS } from "../../objects/object-row.ts";
import { forgetFiles } from "../../objects/remove-objects.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { accessDenied, isRefusal } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

const PAGE = 1000;

/**
 * POST /bucket/{bucket}/empty: removes all objects that the caller may remove.
 * @throws StorageError 403 if the caller may not see the bucket, or remove none of its objects
 */
export async function emptyBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const bucket = call.params.bucket as string;
  const { role } = actor.identity;
  await findBucket(service, actor, bucket).catch((cause) => {
    throw isRefusal(cause) && role !== "service_role" ? mayNotEmpty() : cause;
  });
  let removed = 0;
  for (let page = PAGE; page === PAGE; removed += page) page = await removePage(service, actor, bucket);
  if (removed === 0 && (await isHolding(service, actor, bucket))) {
    throw mayNotEmpty();
  }
  return {
    status: 200,
    body: { message: "Empty bucket has been queued. Completion may take up to an hour." },
  };
}

const mayNotEmpty = () => accessDenied("Access denied: Invalid role", { hasOwnStatus: true });

/** Removes up to a page of objects, and returns how many. */
async function removePage(service: StorageService, actor: Actor, bucket: string): Promise<number> {
  const text = `delete from storage.objects
    where id in (select id from storage.objects where bucket_id = $1 limit ${PAGE}) returning ${OBJECT_COLUMNS}`;
  const rows = await runAs(service.database, actor, { text, values: [bucket] });
  forgetFiles(service, rows);
  return rows.length;
}

/** DELETE /bucket/{bucket}: only if it contains no objects of anyone. */
export async function deleteBucket(call: Call, service: StorageService): Promise<Reply> {
  await removeBucket(service, await call.actor(), call.params.bucket as string);
  return { status: 200, body: { message: "Successfully deleted" } };
}
