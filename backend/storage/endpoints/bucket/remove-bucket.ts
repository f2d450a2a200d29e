import { type Actor, asService, runAs } from "../../database/run-as.ts";
import { findBucket } from "../../objects/bucket-row.ts";
import { OBJECT_COLUMNS } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { accessDenied, StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { forgetFiles } from "../object/remove.ts";

const PAGE = 1000;

/** POST /bucket/{bucket}/empty: everything of it that the caller may remove. */
export async function emptyBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const bucket = call.params.bucket as string;
  await findBucket(service, actor, bucket);
  while (await removePage(service, actor, bucket));
  return {
    status: 200,
    body: { message: "Empty bucket has been queued. Completion may take up to an hour." },
  };
}

/** Whether there may be more. */
async function removePage(service: StorageService, actor: Actor, bucket: string): Promise<boolean> {
  const text = `delete from storage.objects
    where id in (select id from storage.objects where bucket_id = $1 limit ${PAGE}) returning ${OBJECT_COLUMNS}`;
  const rows = await runAs(service.database, actor, { text, values: [bucket] });
  forgetFiles(service, rows);
  return rows.length === PAGE;
}

/** DELETE /bucket/{bucket}: only when it is empty, of everybody's objects. */
export async function deleteBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const values = [call.params.bucket as string];
  await findBucket(service, actor, values[0] as string);
  const held = await runAs(service.database, asService(actor), {
    text: "select from storage.objects where bucket_id = $1 limit 1",
    values,
  });
  if (held.length > 0) throw notEmpty();
  const text = "delete from storage.buckets where id = $1 returning id";
  const removed = await runAs(service.database, actor, { text, values }).catch((cause: unknown) => {
    // An object came in between: its row holds on to the bucket.
    throw cause instanceof StorageError && cause.statusCode === 404 ? notEmpty() : cause;
  });
  if (removed.length === 0) throw accessDenied();
  return { status: 200, body: { message: "Successfully deleted" } };
}

function notEmpty(): StorageError {
  return new StorageError(409, "ResourceNotEmpty", "The bucket you tried to delete is not empty");
}
