import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { readLater } from "../../files/read-later.ts";
import type { Upload } from "../../files/upload-store.ts";
import { bodyOf } from "../../requests/body-of.ts";
import type { Call } from "../../requests/call.ts";
import { invalidRequest, StorageError, tooLarge } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";
import { readChecksum, readCount } from "./tus.ts";

/** Appends the request's body; with a checksum, all or nothing. */
export async function receiveChunk(
  { request }: Call,
  { uploads, incoming }: StorageService,
  upload: Upload,
): Promise<void> {
  const checksum = readChecksum(request.headers);
  if (!checksum) {
    upload.offset = await uploads.append(upload, bodyOf(request));
    return;
  }
  const arrived = await incoming.receive(bodyOf(request), upload.length - upload.offset);
  try {
    const hash = createHash(checksum.algorithm);
    await pipeline(readLater(arrived.path), hash);
    if (hash.digest("base64") !== checksum.sum) {
      throw new StorageError(
        460,
        "InvalidChecksum",
        "The piece does not have the checksum that came with it",
      );
    }
    const piece = readLater(arrived.path);
    upload.offset = await uploads
      .append(upload, piece)
      .catch((cause) => {
        throw piece.errored ?? cause;
      })
      .finally(() => piece.destroy());
  } finally {
    await arrived.discard();
  }
}

/** Reads the length of a deferred-length upload, if the request has it. @throws StorageError 400, 413 */
export async function setDeferredLength(
  { request }: Call,
  { uploads }: StorageService,
  upload: Upload,
): Promise<void> {
  if (!upload.deferred || request.headers["upload-length"] === undefined) return;
  const length = readCount(request.headers, "upload-length");
  if (length > upload.length) throw tooLarge();
  if (length < upload.offset) throw invalidRequest("More has arrived than the length that is said now");
  await uploads.declare(upload, length);
}
