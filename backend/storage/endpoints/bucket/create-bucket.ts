import * as v from "valibot";
import { makeBucket } from "../../objects/buckets.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireBucketName } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { invalidRequest } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { BucketFields, readSizeLimit, requireTypes } from "./bucket-fields.ts";
import { requireNoVersions } from "./versioning.ts";

const Body = v.object({
  id: v.nullish(v.string()),
  name: v.string(),
  type: v.nullish(v.string()),
  ...BucketFields,
});

/** POST /bucket */
export async function createBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const body = await readJson(call, Body);
  const name = requireBucketName(body.name);
  if (body.type && body.type !== "STANDARD")
    throw invalidRequest("Only buckets of type STANDARD can be made");
  requireNoVersions(body.versioning_status);
  const limit = readSizeLimit(body.file_size_limit, service) ?? null;
  const types = requireTypes(body.allowed_mime_types) ?? null;
  const id = requireBucketName(body.id ?? name);
  await makeBucket(service, actor, { id, name, isPublic: body.public ?? false, limit, types });
  return { status: 200, body: { name } };
}
