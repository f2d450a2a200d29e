import type { Row } from "#backend/postgres/database.ts";
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
  for (let after: string | null = ""; after !== null; ) {
    const rows = await removePage(service, actor, bucket, after);
    removed += forgetFiles(
      service,
      rows.filter(({ id }) => id !== null),
    ).length;
    after = rows[0]?.last ?? null;
  }
  if (removed === 0 && (await isHolding(service, actor, bucket))) throw mayNotEmpty();
  return {
    status: 200,
    body: { message: "Empty bucket has been queued. Completion may take up to an hour." },
  };
}

const mayNotEmpty = () => accessDenied("Access denied: Invalid role", { hasOwnStatus: true });

// One row at least, with the last name of the page, which the caller may have seen but not removed.
const REMOVE = `with page as materialized (
    select id, name from storage.objects where bucket_id = $1 and name collate "C" > $2
    order by name collate "C" limit ${PAGE}
  ), removed as (
    delete from storage.objects where id in (select id from page) returning ${OBJECT_COLUMNS}
  )
  select last, removed.* from (select max(name collate "C") as last from page) as walk left join removed on true`;

/** Removes those of a page of objects that the caller may remove. */
function removePage(service: StorageService, actor: Actor, bucket: string, after: string): Promise<Row[]> {
  return runAs(service.database, actor, { text: REMOVE, values: [bucket, after] });
}

/** DELETE /bucket/{bucket}: only if it contains no objects of anyone. */
export async function deleteBucket(call: Call, service: StorageService): Promise<Reply> {
  await removeBucket(service, await call.actor(), call.params.bucket as string);
  return { status: 200, body: { message: "Successfully deleted" } };
}
