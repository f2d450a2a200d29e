import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Database } from "#backend/postgres/database.ts";
import { readAsService } from "../database/run-as.ts";
import { invalidRequest, noSuchBucket, noSuchKey } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { OBJECT_COLUMNS, type ObjectRow, requireVersion, toObject } from "./object-row.ts";

// A subquery for each object, so that its index is used, however many the planner expects.
const OBJECTS = `select place, ${OBJECT_COLUMNS.replaceAll(/\w+/g, "object.$&")}
  from jsonb_array_elements($1::jsonb) with ordinality as asked (at, place)
    join storage.buckets as bucket on bucket.id = at ->> 0 and public
    left join lateral (select * from storage.objects where bucket_id = at ->> 0 and name = at ->> 1 limit 1)
      as object on true`;

/**
 * Reads objects for many requests at once: those that arrive while the database is asked share the next round trip.
 * Each still sees what was committed before it arrived.
 */
function createReader(database: Database) {
  /** Bucket and name as JSON. */
  let asked = new Set<string>();
  const reads = coalesceRuns(async () => {
    const keys = [...asked];
    asked = new Set();
    const rows = await readAsService(database, { text: OBJECTS, values: [`[${keys}]`] });
    return new Map(rows.map((row) => [keys[Number(row.place) - 1], row.id === null ? null : toObject(row)]));
  });
  return async (bucket: string, name: string) => {
    const key = JSON.stringify([bucket, name]);
    asked.add(key);
    return (await reads.next()).get(key);
  };
}

const readers = new WeakMap<Database, ReturnType<typeof createReader>>();

/**
 * An object of a public bucket, for any caller.
 * @throws StorageError 404, also if the bucket exists but is not public
 */
export async function findPublicObject(
  { database }: Pick<StorageService, "database">,
  bucket: string,
  name: string,
  version: string | null,
): Promise<ObjectRow> {
  // PostgreSQL would refuse this read, with everyone else's.
  if (bucket.includes("\0")) throw invalidRequest("Invalid input");
  const object = await getOrMake(readers, database, () => createReader(database))(bucket, name);
  if (object === undefined) throw noSuchBucket();
  if (object === null) throw noSuchKey();
  return requireVersion(object, version);
}
