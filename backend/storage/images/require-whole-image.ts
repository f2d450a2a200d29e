import { open } from "node:fs/promises";
import { isTooLarge } from "../pixel-limit.ts";
import { tooLarge, wrongType } from "../storage-error.ts";
import { openPicture } from "./open-picture.ts";

/** Content that a program ignoring the picture might run: a page, a script, a document. */
const MARKUP = /<(?:!doctype|html[\s>]|script[\s>]|body[\s>]|iframe[\s>])|<\?php|%PDF-1/i;
/** Reading the header decodes no pixels. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const LONGEST_SECONDS = 20;
const CHUNK = 256 * 1024;
const OVERLAP = 16;
/** A ZIP's end of central directory record, which readers search for from the end of the file. */
const ZIP_END = Buffer.from("PK\x05\x06", "latin1");
const ZIP_END_WITHIN = 22 + 65_535;

/**
 * Requires a picture with a size, that decodes and is nothing else besides (no polyglot).
 * @throws StorageError 413 beyond `maxPixels` (according to the header, so that nothing is decoded), 415 otherwise
 */
export async function requireWholeImage(path: string, mimetype: string, maxPixels: number): Promise<void> {
  await requireSize(path, mimetype, maxPixels);
  await requireNothingElse(path, mimetype);
}

async function requireSize(path: string, mimetype: string, maxPixels: number): Promise<void> {
  const refuse = () => {
    throw wrongType(mimetype);
  };
  const header = await (await openPicture(path, { maxPixels: UNLIMITED, strict: true }))
    .metadata()
    .catch(refuse);
  if (isTooLarge(header, maxPixels)) throw tooLarge();
  await (await openPicture(path, { maxPixels, strict: true }))
    .resize(1, 1, { fit: "fill" })
    .timeout({ seconds: LONGEST_SECONDS })
    .raw()
    .toBuffer()
    .catch(refuse);
}

async function requireNothingElse(path: string, mimetype: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(CHUNK);
    for (let start = 0; start < size; start += CHUNK - OVERLAP) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, start);
      if (MARKUP.test(buffer.toString("latin1", 0, bytesRead))) throw wrongType(mimetype);
      if (start + bytesRead >= size) break;
    }
    const tail = Buffer.alloc(Math.min(size, ZIP_END_WITHIN));
    await file.read(tail, 0, tail.length, size - tail.length);
    if (holdsArchive(tail)) throw wrongType(mimetype);
  } finally {
    await file.close();
  }
}

/**
 * The signature alone may be coincidence; with a comment length that reaches exactly to the end of the file it is not.
 */
function holdsArchive(tail: Buffer): boolean {
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    const comment = at + 22 <= tail.length ? tail.readUInt16LE(at + 20) : -1;
    if (comment >= 0 && at + 22 + comment === tail.length) return true;
  }
  return false;
}
