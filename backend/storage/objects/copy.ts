import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { findLimits } from "../database/bucket-row.ts";
import { type FileMetadata, findObject, type ObjectRow } from "../database/object-row.ts";
import { ownerOf } from "../database/run-as.ts";
import { saveObject, tryObject } from "../database/save-object.ts";
import { diskFull } from "../files/disk-full.ts";
import type { Call, Reply } from "../requests/call.ts";
import { requireKey } from "../requests/names.ts";
import { readJson } from "../requests/read-json.ts";
import { headerText, mediaType } from "../requests/upload-body.ts";
import { isRefusal } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { requireFit } from "./fits-bucket.ts";

const Body = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationBucket: v.nullish(v.string()),
  destinationKey: v.string(),
  copyMetadata: v.nullish(v.boolean()),
  metadata: v.nullish(
    v.object({
      cacheControl: v.nullish(v.string()),
      mimetype: v.nullish(v.string()),
      contentEncoding: v.nullish(v.string()),
    }),
  ),
});

/** POST /object/copy: the same bytes once more, under another name and the caller's. */
export async function copy(call: Call, service: StorageService): Promise<Reply> {
  const actor = { identity: await call.identity(), request: call.request };
  const body = await readJson(call, Body);
  const name = requireKey(body.destinationKey);
  const bucket = await findLimits(service, actor, body.destinationBucket ?? body.bucketId);
  const source = await findObject(service, actor, body.bucketId, requireKey(body.sourceKey));
  const metadata = describe(source, body);
  await requireFit(service, actor, bucket, source, metadata.mimetype);
  const mode = call.request.headers["x-upsert"] === "true" ? "upsert" : "insert";
  const keepsWords = body.copyMetadata ?? true;
  const row = {
    id: randomUUID(),
    bucket: bucket.id,
    name,
    owner: ownerOf(actor.identity),
    version: randomUUID(),
    metadata,
    userMetadata: keepsWords ? source.user_metadata : null,
  };
  await tryObject(service, actor, row, mode);
  await service.store.copy(source.version, row.version).catch((cause) => {
    throw diskFull(cause);
  });
  try {
    const saved = await saveObject(service, actor, row, mode);
    if (saved.replaced) service.discard([saved.replaced]);
    return { status: 200, body: { Id: saved.id, Key: `${bucket.id}/${name}`, ...shown(row, saved.id) } };
  } catch (cause) {
    if (isRefusal(cause)) await service.store.remove([row.version]);
    throw cause;
  }
}

function describe({ metadata }: ObjectRow, body: v.InferOutput<typeof Body>): FileMetadata {
  const lastModified = new Date().toISOString();
  const kept = { ...(metadata as FileMetadata), lastModified };
  if (body.copyMetadata ?? true) return kept;
  const { cacheControl, mimetype, contentEncoding } = body.metadata ?? {};
  return {
    ...kept,
    ...(cacheControl && { cacheControl: headerText(cacheControl, "cache-control") }),
    ...(mimetype && { mimetype: mediaType(mimetype) }),
    ...(contentEncoding && { contentEncoding: headerText(contentEncoding, "content-encoding") }),
  };
}

function shown(
  row: { bucket: string; name: string; owner: string | null; version: string; metadata: FileMetadata },
  id: string,
) {
  const { bucket, name, owner, version, metadata } = row;
  return { id, bucket_id: bucket, name, owner, owner_id: owner, version, metadata };
}
