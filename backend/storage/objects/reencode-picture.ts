import { Readable } from "node:stream";
import { clientNetwork } from "#backend/http/client-network.ts";
import type { Actor } from "../database/run-as.ts";
import type { ArrivedFile } from "../files/incoming.ts";
import { encode, formatOf } from "../images/encode.ts";
import { openPicture } from "../images/open-picture.ts";
import { invalidRequest, wrongType } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import { essence } from "./allowed-types.ts";
import type { Bucket } from "./bucket-row.ts";

const LONGEST_SECONDS = 20;
/** Visually lossless. */
const QUALITY = 90;

const isReencoded = ({ config }: StorageService, bucket: string) => config.reencodedBuckets.includes(bucket);

/**
 * Re-encodes pictures uploaded to buckets whose pictures other users see: this drops camera metadata (location, time,
 * model) and the embedded thumbnail, whatever program sent it, and applies the EXIF orientation. In other buckets the
 * file is returned unchanged.
 * @throws StorageError 415 if it is not a picture of the declared type, 413 if the result exceeds the bucket's limit
 */
export async function reencodePicture<Arrived extends ArrivedFile>(
  service: StorageService,
  { actor: { request }, bucket }: { actor: Actor; bucket: Bucket },
  { mimetype, limit }: { mimetype: string; limit: number },
  arrived: Arrived,
): Promise<Arrived | ArrivedFile> {
  if (!isReencoded(service, bucket.id)) return arrived;
  const { config, pictures, incoming } = service;
  const who = clientNetwork(request, config.addressHeader);
  const bytes = await pictures.run(who, () => draw(arrived.path, mimetype, config.images.maxPixels));
  const reencoded = await incoming.copy(Readable.from(bytes, { objectMode: false }), limit);
  await arrived.discard();
  return reencoded;
}

async function draw(path: string, mimetype: string, maxPixels: number): Promise<Buffer> {
  const refuse = () => {
    throw wrongType(mimetype);
  };
  const picture = await openPicture(path, { maxPixels, strict: true }).catch(refuse);
  const format = formatOf(await picture.metadata().catch(refuse));
  if (!format || `image/${format}` !== essence(mimetype)) throw wrongType(mimetype);
  return encode(picture.timeout({ seconds: LONGEST_SECONDS }), format, QUALITY)
    .toBuffer()
    .catch(refuse);
}

/**
 * Objects of other buckets cannot be copied or moved into such a bucket without re-encoding.
 * @throws StorageError 400
 */
export function requireReencoded(service: StorageService, from: string, to: Pick<Bucket, "id">): void {
  if (isReencoded(service, to.id) && !isReencoded(service, from))
    throw invalidRequest("Pictures come into this bucket by an upload only");
}
