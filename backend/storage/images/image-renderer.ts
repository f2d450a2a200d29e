import { hash } from "node:crypto";
import type { Metadata } from "sharp";
import type { WorkQueue } from "#backend/memory/work-queue.ts";
import { isTooLarge } from "../pixel-limit.ts";
import type { StorageConfig } from "../storage-config.ts";
import { invalidRequest, StorageError, tooLarge } from "../storage-error.ts";
import { crop } from "./crop.ts";
import { encode, formatOf, type Output } from "./encode.ts";
import { openPicture } from "./open-picture.ts";
import { openRenderedCache } from "./rendered-cache.ts";
import type { Transform } from "./transform.ts";

/** A rendering request. */
type RenderJob = {
  version: string;
  transform: Transform;
  /** Formats the client accepts besides the original's, best first. */
  formats: readonly ("avif" | "webp")[];
  size: number;
  read(): Promise<Uint8Array>;
  /** The client: clients take turns. */
  who: string;
};

type Rendered = { bytes: Uint8Array; mimetype: string };

/** Resizes pictures, a few at a time, and caches the results. */
export type ImageRenderer = {
  /** A name that identifies the resulting bytes, as an ETag must. */
  nameOf(job: Pick<RenderJob, "version" | "transform" | "formats">): string;
  /** Concurrent requests for the same rendering share one. @throws StorageError 400, 413, 429 */
  render(job: RenderJob): Promise<Rendered>;
  forget(versions: readonly string[]): Promise<void>;
};

/** Maximum size of a source file in bytes. */
const LARGEST_SOURCE = 25 * 1024 * 1024;
/** After this long, the original would have served the client better. */
const LONGEST_SECONDS = 5;
const DEFAULT_QUALITY = 80;

export async function createImageRenderer(
  folder: string,
  limits: StorageConfig["images"] & { isShared: boolean },
  pictures: WorkQueue,
): Promise<ImageRenderer> {
  const cache = await openRenderedCache(folder, { maxBytes: limits.cacheBytes, isShared: limits.isShared });
  const underWay = new Map<string, Promise<Rendered>>();

  async function make(name: string, job: RenderJob): Promise<Rendered> {
    const kept = await cache.get(name);
    if (kept) return unwrap(kept);
    if (!(job.size <= LARGEST_SOURCE)) throw tooLarge();
    const rendered = await pictures.run(job.who, async () => draw(await job.read(), job, limits.maxPixels));
    // On a full disk, only caching fails.
    await cache.put(name, wrap(rendered)).catch(() => {});
    return rendered;
  }

  return {
    nameOf,
    render(job) {
      const name = nameOf(job);
      const known = underWay.get(name) ?? make(name, job).finally(() => underWay.delete(name));
      underWay.set(name, known);
      return known;
    },
    forget: cache.forget,
  };
}

function nameOf({
  version,
  transform,
  formats,
}: Pick<RenderJob, "version" | "transform" | "formats">): string {
  const { width, height, resize = "cover", quality = DEFAULT_QUALITY, format } = transform;
  const { gravity, x_offset, y_offset } = transform;
  // All that a transformation has: the picture of another one would be sent.
  const parts: Record<keyof Transform, unknown> = {
    width,
    height,
    resize,
    quality,
    format: format ?? formats,
    gravity,
    x_offset,
    y_offset,
  };
  const form = JSON.stringify(Object.values(parts));
  return `${version}-${hash("sha256", form).slice(0, 24)}`;
}

async function draw(
  source: Uint8Array,
  { transform, formats }: RenderJob,
  maxPixels: number,
): Promise<Rendered> {
  const { format } = transform;
  // AVIF output is a still image, even if the source is animated.
  const picture = await openPicture(source, { maxPixels, animated: format !== "avif" }).catch(noPicture);
  const header = await picture.metadata().catch(noPicture);
  if (isTooLarge(header, maxPixels)) throw tooLarge();
  const output = format && format !== "origin" ? format : chooseFormat(header, format ? [] : formats);
  const resized = crop(picture, header, transform).timeout({ seconds: LONGEST_SECONDS });
  const bytes = await encode(resized, output, transform.quality ?? DEFAULT_QUALITY)
    .toBuffer()
    .catch(noPicture);
  return { bytes, mimetype: `image/${output}` };
}

/** Animations stay animated, so they are not converted to AVIF. */
function chooseFormat({ format, pages = 1 }: Metadata, formats: RenderJob["formats"]): Output {
  const better = formats.find((wanted) => wanted !== "avif" || pages === 1);
  return better ?? formatOf({ format }) ?? "png";
}

function noPicture(cause: Error): never {
  if (cause.message.includes("timeout")) {
    throw new StorageError(422, "InvalidRequest", "The picture took too long to render");
  }
  throw cause.message.includes("pixel limit")
    ? tooLarge()
    : invalidRequest("The source image is invalid or unsupported for rendering");
}

/** Prefixed with the type, since the cache name does not include it. */
function wrap({ bytes, mimetype }: Rendered): Uint8Array {
  return Buffer.concat([Buffer.from(mimetype.padEnd(TYPE_LENGTH)), bytes]);
}

const TYPE_LENGTH = 16;

function unwrap(kept: Uint8Array): Rendered {
  const mimetype = Buffer.from(kept.subarray(0, TYPE_LENGTH)).toString().trim();
  return { mimetype, bytes: kept.subarray(TYPE_LENGTH) };
}
