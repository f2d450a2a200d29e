import { open } from "node:fs/promises";
import { tooLarge, wrongType } from "../storage-error.ts";
import { openPicture } from "./open-picture.ts";

/** What a program that looks past the picture would run: a page, a script, a document. */
const MARKUP = /<(?:!doctype|html[\s>]|script[\s>]|body[\s>]|iframe[\s>])|<\?php|%PDF-1/i;
/** Reading the header unpacks nothing. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const LONGEST_SECONDS = 20;
const CHUNK = 256 * 1024;
const OVERLAP = 16;
/** Where an archive's directory ends; a reader of archives looks for it from the file's end. */
const ZIP_END = Buffer.from("PK\x05\x06", "latin1");
const ZIP_END_WITHIN = 22 + 65_535;

/**
 * A picture that says its size, decodes, and is nothing else besides.
 * @throws StorageError 413 beyond `maxPixels` (told by the header, so that nothing is unpacked for it), 415 otherwise
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
  // Of an animation, `height` is that of all frames one below the other.
  if (header.width * header.height > maxPixels) throw tooLarge();
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

/** The mark alone may be chance; one whose comment reaches to the file's end is not. */
function holdsArchive(tail: Buffer): boolean {
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    const comment = at + 22 <= tail.length ? tail.readUInt16LE(at + 20) : -1;
    if (comment >= 0 && at + 22 + comment === tail.length) return true;
  }
  return false;
}
