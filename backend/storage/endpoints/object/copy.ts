import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { ownerOf } from "../../database/run-as.ts";
import { withCurrentFile } from "../../delivery/with-current-file.ts";
import { diskFull } from "../../files/disk-full.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { requireFit } from "../../objects/fits-bucket.ts";
import { type FileMetadata, findObject, type ObjectRow } from "../../objects/object-row.ts";
import { type SaveMode, saveObject, tryObject } from "../../objects/save-object.ts";
import type { Upload } from "../../objects/store-object.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { headerText, mediaType } from "../../requests/upload-body.ts";
import { isRefusal } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

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
  const actor = await call.actor();
  const body = await readJson(call, Body);
  const name = requireKey(body.destinationKey);
  const bucket = await findLimits(service, actor, body.destinationBucket ?? body.bucketId);
  const mode: SaveMode = call.request.headers["x-upsert"] === "true" ? "upsert" : "insert";
  const find = () => findObject(service, actor, body.bucketId, requireKey(body.sourceKey));
  const place = { actor, bucket, name, mode };
  return withCurrentFile(find, (source) => copyObject(service, source, place, body));
}

async function copyObject(
  service: StorageService,
  source: ObjectRow,
  { actor, bucket, name, mode }: Pick<Upload, "actor" | "bucket" | "name" | "mode">,
  body: v.InferOutput<typeof Body>,
): Promise<Reply> {
  const metadata = describe(source, body);
  await requireFit(service, actor, bucket, source, metadata.mimetype);
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
