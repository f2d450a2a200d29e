import * as v from "valibot";
import { runAs } from "../../database/run-as.ts";
import { BUCKET_COLUMNS, findBucket, toBucket } from "../../objects/bucket-row.ts";
import { parseInput } from "../../parse-input.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { StorageService } from "../../storage-service.ts";

const MOST = 1_000_000;
const count = v.pipe(v.string(), v.regex(/^\d{1,7}$/, "must be a whole number"));
const atLeastOne = v.pipe(
  count,
  v.check((text) => Number(text) >= 1, "must be >= 1"),
);

const Query = v.object({
  limit: v.optional(atLeastOne, String(MOST)),
  offset: v.optional(count, "0"),
  sortColumn: v.optional(v.picklist(["id", "name", "created_at", "updated_at"]), "id"),
  sortOrder: v.optional(v.picklist(["asc", "desc"]), "asc"),
  search: v.optional(v.string(), ""),
});

/** GET /bucket/{bucket} */
export async function getBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  // Only lists include the type.
  const { type: _, ...bucket } = await findBucket(service, actor, call.params.bucket as string);
  return { status: 200, body: bucket };
}

/** GET /bucket: the buckets that the caller's policies show. */
export async function listBuckets(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const query = Object.fromEntries(call.query);
  const { limit, offset, sortColumn, sortOrder, search } = parseInput(Query, query, "querystring");
  const text = `select ${BUCKET_COLUMNS} from storage.buckets where strpos(lower(name), lower($1)) > 0
    order by ${sortColumn} ${sortOrder} limit $2::integer offset $3::integer`;
  const rows = await runAs(service.database, actor, { text, values: [search, limit, offset] });
  return { status: 200, body: rows.map(toBucket) };
}
