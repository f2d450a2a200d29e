import { clientNetwork } from "#backend/http/client-network.ts";
import { essenceOf } from "#backend/http/media-type.ts";
import type { Actor } from "../database/run-as.ts";
import type { ArrivedFile } from "../files/incoming.ts";
import { requireWholeImage } from "../images/require-whole-image.ts";
import { PLACEHOLDER } from "../requests/names.ts";
import { wrongType } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import type { Bucket } from "./bucket-row.ts";

/** A file on its way into a bucket; the size is null if it is not known yet. */
type File = { name: string; mimetype: string; size: number | null };

/** Checks the declared type against the bucket's allowed types. @throws StorageError 415 */
export function requireAllowedType({ allowed_mime_types: allowed }: Bucket, file: File): void {
  if (allowed === null || allowed.length === 0 || isPlaceholder(file)) return;
  if (!isAllowed(allowed, essence(file.mimetype))) throw wrongType(file.mimetype);
}

/**
 * The empty file by which dashboards create a folder, with whatever type. It may be one as long as its size is not
 * known.
 */
export function isPlaceholder({ name, size }: Pick<File, "name" | "size">): boolean {
  return !size && name.split("/").at(-1) === PLACEHOLDER;
}

/**
 * If a bucket restricts types, the content must match the declared type; elsewhere any content is accepted, and served
 * with safe headers.
 * @throws StorageError 415, 413 for a picture with too many pixels, 429 if too many pictures are being validated
 */
export async function requireHonestContent(
  { config, pictures }: StorageService,
  { actor: { request }, bucket, name }: { actor: Actor; bucket: Bucket; name: string },
  mimetype: string,
  { path, size }: Pick<ArrivedFile, "path" | "size">,
): Promise<void> {
  const { allowed_mime_types: allowed } = bucket;
  if (allowed === null || allowed.length === 0 || isPlaceholder({ name, size })) return;
  requireAllowedType(bucket, { name, mimetype, size });
  const declared = essence(mimetype);
  // Loaded with the first such file: starting without it is faster.
  const { fileTypeFromFile, supportedMimeTypes } = await import("file-type");
  const found = (await fileTypeFromFile(path))?.mime as string | undefined;
  // Text has no signature, so it must only not be something else.
  const isHonest = supportedMimeTypes.has(declared as never)
    ? found !== undefined && essence(found) === declared
    : found === undefined || isAllowed(allowed, essence(found));
  if (!isHonest) throw wrongType(found ?? "of this content");
  if (!declared.startsWith("image/")) return;
  const who = clientNetwork(request, config.addressHeader);
  await pictures.run(who, () => requireWholeImage(path, declared, config.images.maxPixels));
}

const SAME: Record<string, string> = { "image/jpg": "image/jpeg", "image/apng": "image/png" };

/** The media type without parameters, with aliases resolved. */
export function essence(mimetype: string): string {
  const bare = essenceOf(mimetype);
  return SAME[bare] ?? bare;
}

function isAllowed(allowed: string[], mimetype: string): boolean {
  return allowed.some((pattern) => {
    const wanted = essence(pattern);
    return (
      wanted === "*/*" ||
      wanted === mimetype ||
      (wanted.endsWith("/*") && mimetype.startsWith(wanted.slice(0, -1)))
    );
  });
}
