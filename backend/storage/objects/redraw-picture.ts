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
/** Hardly to be told from what was sent. */
const QUALITY = 90;

const isRedrawn = ({ config }: StorageService, bucket: string) => config.redrawnBuckets.includes(bucket);

/**
 * What arrived for a bucket of pictures that others see, drawn anew: the place and the time that a camera wrote into it, its
 * maker and its small second picture stay behind, whoever sent it by whatever program. It stands as its camera was held.
 * Elsewhere, what arrived.
 * @throws StorageError 415 for what is no such picture, 413 where it comes out larger than the bucket takes
 */
export async function redrawPicture<Arrived extends ArrivedFile>(
  service: StorageService,
  { actor: { request }, bucket }: { actor: Actor; bucket: Bucket },
  { mimetype, limit }: { mimetype: string; limit: number },
  arrived: Arrived,
): Promise<Arrived | ArrivedFile> {
  if (!isRedrawn(service, bucket.id)) return arrived;
  const { config, pictures, incoming } = service;
  const who = clientNetwork(request, config.addressHeader);
  const bytes = await pictures.run(who, () => draw(arrived.path, mimetype, config.images.maxPixels));
  const redrawn = await incoming.receive(Readable.from(bytes, { objectMode: false }), limit);
  await arrived.discard();
  return redrawn;
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

/** Nothing is brought there as it is from where nothing is drawn anew. @throws StorageError 400 */
export function requireRedrawn(service: StorageService, from: string, to: Pick<Bucket, "id">): void {
  if (isRedrawn(service, to.id) && !isRedrawn(service, from))
    throw invalidRequest("Pictures come into this bucket by an upload only");
}
