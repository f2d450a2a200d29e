import { parseTransform } from "../../images/transform.ts";
import type { ObjectRow } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { StorageService } from "../../storage-service.ts";
import { findOwn, findPublic } from "./download.ts";

/** GET /object/info/{bucket}/{path*} and /object/info/authenticated/… */
export async function info(call: Call, service: StorageService): Promise<Reply> {
  parseTransform(call.query);
  return reply(await findOwn(call, service));
}

/** GET /object/info/public/{bucket}/{path*} */
export async function infoPublic(call: Call, service: StorageService): Promise<Reply> {
  parseTransform(call.query);
  return reply(await findPublic(call, service));
}

/** A HEAD request gets only the headers. */
function reply(object: ObjectRow): Reply {
  const { metadata, updated_at } = object;
  const headers = {
    "cache-control": "no-cache",
    ...(metadata && { etag: metadata.eTag }),
    ...(updated_at && { "last-modified": new Date(updated_at).toUTCString() }),
  };
  return { status: 200, body: describe(object), headers };
}

function describe({ id, name, version, bucket_id, metadata, user_metadata, ...times }: ObjectRow) {
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    content_encoding: metadata?.contentEncoding ?? null,
    cache_control: metadata?.cacheControl ?? null,
    etag: metadata?.eTag ?? null,
    metadata: user_metadata ?? {},
    last_modified: times.updated_at,
    created_at: times.created_at,
  };
}
