import * as v from "valibot";
import { runAs } from "../../database/run-as.ts";
import { parseTransform, Transform } from "../../images/transform.ts";
import { findObject } from "../../objects/object-row.ts";
import { numeric } from "../../parse-input.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireName } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { signUrl } from "../../requests/url-token.ts";
import type { StorageService } from "../../storage-service.ts";

const LONGEST = 100 * 365 * 24 * 3600;
const expiresIn = v.pipe(numeric, v.integer(), v.minValue(1, "must be >= 1"), v.maxValue(LONGEST));
const One = v.object({ expiresIn, transform: v.nullish(Transform), versionId: v.nullish(v.string()) });
const Many = v.object({ expiresIn, paths: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)) });

/** POST /object/sign/{bucket}/{path*}: a temporary URL by which anyone can read what the caller may read. */
export async function signDownload(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const { bucket = "", path = "" } = call.params;
  const body = await readJson(call, One);
  const { name } = await findObject(service, actor, bucket, requireName(path), body.versionId);
  const version = body.versionId ? { version: body.versionId } : {};
  const transform = body.transform && Object.keys(body.transform).length > 0 ? body.transform : null;
  const fixed = { ...version, ...(transform && { transformations: toQuery(transform) }) };
  return { status: 200, body: { signedURL: await sign(service, bucket, name, body.expiresIn, fixed) } };
}

function toQuery(transform: Transform): string {
  const query = new URLSearchParams(Object.entries(transform).map(([key, value]) => [key, String(value)]));
  parseTransform(query);
  return query.toString();
}

/** POST /object/sign/{bucket}: the same for many objects, each with a result of its own. */
export async function signDownloads(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const bucket = call.params.bucket as string;
  const { expiresIn, paths } = await readJson(call, Many);
  const text = `select name from storage.objects
    where bucket_id = $1 and name in (select jsonb_array_elements_text($2::jsonb))`;
  const rows = await runAs(service.database, actor, { text, values: [bucket, JSON.stringify(paths)] });
  const seen = new Set(rows.map(({ name }) => name));
  const answers = paths.map(async (path) => ({
    path,
    error: seen.has(path) ? null : "Either the object does not exist or you do not have access to it",
    signedURL: seen.has(path) ? await sign(service, bucket, path, expiresIn) : null,
  }));
  return { status: 200, body: await Promise.all(answers) };
}

/** Not URL-encoded: the client does that. */
async function sign(
  service: StorageService,
  bucket: string,
  name: string,
  lifetime: number,
  fixed: { version?: string; transformations?: string } = {},
): Promise<string> {
  const token = await signUrl(service, { scope: "download", url: `${bucket}/${name}`, ...fixed }, lifetime);
  const place = fixed.transformations === undefined ? "/object/sign" : "/render/image/sign";
  return `${place}/${bucket}/${name}?token=${token}`;
}
