import * as v from "valibot";
import { withCurrentFile } from "../../delivery/with-current-file.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { copyObject } from "../../objects/copy-object.ts";
import { type FileMetadata, findObject, type ObjectRow } from "../../objects/object-row.ts";
import { isUpsert, modeOf } from "../../objects/save-object.ts";
import { truth } from "../../parse-input.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey, requireName } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { headerText, mediaType, parseMetadata } from "../../requests/upload-body.ts";
import type { StorageService } from "../../storage-service.ts";

const Body = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationBucket: v.nullish(v.string()),
  destinationKey: v.string(),
  sourceVersionId: v.nullish(v.string()),
  copyMetadata: v.nullish(truth),
  metadata: v.nullish(
    v.object({
      cacheControl: v.nullish(v.string()),
      mimetype: v.nullish(v.string()),
      contentEncoding: v.nullish(v.string()),
    }),
  ),
});

/** POST /object/copy: copies the bytes under another name, owned by the caller. */
export async function copy(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const body = await readJson(call, Body);
  const name = requireKey(body.destinationKey);
  const bucket = await findLimits(service, actor, body.destinationBucket ?? body.bucketId);
  const find = () =>
    findObject(service, actor, body.bucketId, requireName(body.sourceKey), body.sourceVersionId);
  const place = { actor, bucket, name, mode: modeOf(isUpsert(call.request)) };
  const words = parseMetadata(call.request.headers["x-metadata"], "base64");
  const row = await withCurrentFile(find, (source) => {
    const userMetadata = (body.copyMetadata ?? true) ? source.user_metadata : words;
    return copyObject(service, source, place, { metadata: describe(source, body), userMetadata });
  });
  return { status: 200, body: { Id: row.id, Key: `${bucket.id}/${name}`, ...shown(row) } };
}

function describe({ metadata }: ObjectRow, body: v.InferOutput<typeof Body>): FileMetadata {
  const lastModified = new Date().toISOString();
  const kept = { ...(metadata as FileMetadata), lastModified };
  if (body.copyMetadata ?? true) return kept;
  const { cacheControl, mimetype, contentEncoding } = body.metadata ?? {};
  // An empty value removes the source's.
  if (contentEncoding === "") delete kept.contentEncoding;
  return {
    ...kept,
    ...(cacheControl && { cacheControl: headerText(cacheControl, "cache-control") }),
    ...(mimetype && { mimetype: mediaType(mimetype) }),
    ...(contentEncoding && { contentEncoding: headerText(contentEncoding, "content-encoding") }),
  };
}

function shown({ id, bucket, name, owner, version, metadata }: Awaited<ReturnType<typeof copyObject>>) {
  return { id, bucket_id: bucket, name, owner, owner_id: owner, version, metadata };
}
