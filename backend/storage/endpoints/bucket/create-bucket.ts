import * as v from "valibot";
import { ownerOf, runAs } from "../../database/run-as.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireBucketName } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { alreadyExists, invalidRequest, StorageError } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { BucketFields, readSizeLimit, requireTypes } from "./bucket-fields.ts";

const Body = v.object({
  id: v.nullish(v.string()),
  name: v.string(),
  type: v.nullish(v.string()),
  ...BucketFields,
});

const INSERT = `insert into storage.buckets
    (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
  values ($1, $2, $3::boolean, $4::bigint, (select array_agg(value) from jsonb_array_elements_text($5::jsonb)),
    case when $6 ~* '^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$' then $6::uuid end, $6)`;

/** POST /bucket */
export async function createBucket(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const body = await readJson(call, Body);
  const name = requireBucketName(body.name);
  if (body.type && body.type !== "STANDARD")
    throw invalidRequest("Only buckets of type STANDARD can be made");
  const limit = readSizeLimit(body.file_size_limit, service) ?? null;
  const types = requireTypes(body.allowed_mime_types) ?? null;
  const values = [
    requireBucketName(body.id ?? name),
    name,
    String(body.public ?? false),
    limit === null ? null : String(limit),
    types === null || types.length === 0 ? null : JSON.stringify(types),
    ownerOf(actor.identity),
  ];
  await runAs(service.database, actor, { text: INSERT, values }).catch((cause: unknown) => {
    const isTaken = cause instanceof StorageError && cause.statusCode === 409;
    throw isTaken ? alreadyExists("BucketAlreadyExists") : cause;
  });
  return { status: 200, body: { name } };
}
