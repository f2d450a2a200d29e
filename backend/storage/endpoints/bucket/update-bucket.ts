import * as v from "valibot";
import { runAs } from "../../database/run-as.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readJson } from "../../requests/read-json.ts";
import { noSuchBucket } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { BucketFields, readSizeLimit, requireTypes } from "./bucket-fields.ts";
import { requireNoVersions } from "./versioning.ts";

// Omitted members stay unchanged; a null limit removes the limit.
const UPDATE = `update storage.buckets set public = coalesce($2::boolean, public),
    file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
    allowed_mime_types = case when $5::boolean
      then (select array_agg(value) from jsonb_array_elements_text($6::jsonb)) else allowed_mime_types end,
    updated_at = now()
  where id = $1 returning id`;

const Body = v.pipe(
  v.object(BucketFields),
  v.check((fields) => Object.keys(fields).length > 0, "must NOT have fewer than 1 properties"),
);

/** PUT /bucket/{bucket} */
export async function updateBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const body = await readJson(call, Body);
  requireNoVersions(body.versioning_status);
  const limit = readSizeLimit(body.file_size_limit, service);
  const types = requireTypes(body.allowed_mime_types);
  const values = [
    call.params.bucket as string,
    body.public === null || body.public === undefined ? null : String(body.public),
    String(limit !== undefined),
    limit === null || limit === undefined ? null : String(limit),
    String(types !== undefined),
    types ? JSON.stringify(types) : null,
  ];
  const rows = await runAs(service.database, actor, { text: UPDATE, values });
  if (rows.length === 0) throw noSuchBucket();
  return { status: 200, body: { message: "Successfully updated" } };
}
