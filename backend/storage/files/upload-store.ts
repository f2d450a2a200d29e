import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type ProcessGroup, SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { invalidRequest, tooLarge } from "../storage-error.ts";
import { diskFull } from "./disk-full.ts";
import { readLater } from "./read-later.ts";
import { createShares, type PersonsShare } from "./upload-shares.ts";

/** A resumable upload as it was created. */
export type AnnouncedUpload = {
  bucket: string;
  name: string;
  /** Total size in bytes; the maximum while it is `deferred`. */
  length: number;
  /** The client will send the length later. */
  deferred?: boolean;
  /** The raw Upload-Metadata header. */
  described?: string;
  /** The Upload-Concat header: `partial` for a part of another upload, or the list of parts. */
  concat?: string;
  upsert: boolean;
  mimetype: string;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
  /** The uploader's role; only the same role and owner can resume it. */
  role: string;
  owner: string | null;
  /** Whether it was created with a signed URL, in `owner`'s name. */
  signed: boolean;
  expiresAt: number;
};

/**
 * `isStored`: it has become an object; only a record is left, for a client that missed the last response. Until then its
 * last byte does not count: clients take an upload whose bytes have all arrived to be stored.
 */
export type Upload = AnnouncedUpload & { id: string; offset: number; isStored?: boolean };

/** Uploads in progress, each with a file for the bytes received so far and one for its state. */
export type UploadStore = {
  /** @throws StorageError 429 if the user has too many in progress */
  create(announced: AnnouncedUpload): Promise<Upload>;
  find(id: string): Promise<Upload | null>;
  /** Appends at the upload's offset and returns the new offset. Bytes received before a disconnect are kept. */
  append(upload: Upload, body: Readable): Promise<number>;
  /** Sets the length of a deferred upload. */
  declare(upload: Upload, length: number): Promise<void>;
  /** The bytes received so far. */
  read(upload: Upload): Readable;
  /**
   * Records that the upload became an object, until it would have expired and for at least an hour. Its bytes are
   * removed.
   */
  noteStored(upload: Upload): Promise<void>;
  remove(id: string): Promise<void>;
  removeExpired(): Promise<void>;
};

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export async function openUploadStore(
  folder: string,
  perPerson: PersonsShare,
  processGroup: ProcessGroup = SINGLE_PROCESS,
): Promise<UploadStore> {
  await mkdir(folder, { recursive: true });
  const underWay = createShares(perPerson);
  const partOf = (id: string) => join(folder, `${id}.part`);
  const stateOf = (id: string) => join(folder, `${id}.json`);
  const noteOf = (id: string) => join(folder, `${id}.stored`);

  async function find(id: string): Promise<Upload | null> {
    if (!ID.test(id)) return null;
    const announced = await readState(stateOf(id));
    const part = announced && (await stat(partOf(id)).catch(asMissing));
    // Read last, since it is written before the others are removed.
    const stored = await readState(noteOf(id));
    if (stored) return { ...stored, id, offset: stored.length, isStored: true };
    if (!announced || !part) return null;
    const upload = { ...announced, id, offset: part.size };
    return isWhole(upload) ? { ...upload, offset: Math.max(0, part.size - 1) } : upload;
  }

  async function removeBytes(id: string): Promise<void> {
    underWay.drop(id);
    for (const path of [stateOf(id), partOf(id)]) await rm(path, { force: true });
  }

  async function remove(id: string): Promise<void> {
    await removeBytes(id);
    await rm(noteOf(id), { force: true });
  }

  /** Picks up uploads created and finished in the folder by previous and sibling processes. */
  async function noteOthers(): Promise<void> {
    const states = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    const ids = new Set(states.map((name) => name.split(".", 1)[0] as string));
    for (const id of underWay.ids()) if (!ids.has(id)) underWay.drop(id);
    for (const id of ids) {
      if (underWay.has(id)) continue;
      // An unreadable state file must not prevent startup.
      const left = await find(id).catch(() => null);
      if (left && !left.isStored) underWay.note(id, left);
    }
  }
  await noteOthers();

  async function create(announced: AnnouncedUpload): Promise<Upload> {
    const id = randomUUID();
    underWay.take(id, announced);
    try {
      await writeFile(partOf(id), "", { flag: "wx" });
      await writeState(stateOf(id), announced);
    } catch (cause) {
      await remove(id);
      throw diskFull(cause);
    }
    return { ...announced, id, offset: 0 };
  }

  return {
    find,
    remove,
    create(announced) {
      if (processGroup.size === 1) return create(announced);
      return processGroup.runInTurn("one new upload", async () => {
        await noteOthers();
        return create(announced);
      });
    },
    async append({ id, offset, length }, body) {
      return write(partOf(id), body, offset, length);
    },
    async declare(upload, length) {
      const { id, offset: _, isStored: __, ...announced } = upload;
      await writeState(stateOf(id), { ...announced, length, deferred: false });
      Object.assign(upload, { length, deferred: false });
      underWay.note(id, upload);
    },
    read: ({ id }) => readLater(partOf(id)),
    async noteStored({ id, offset: _, isStored: __, ...announced }) {
      const expiresAt = Math.max(announced.expiresAt, Date.now() + REMEMBERED_MS);
      const note = { ...announced, userMetadata: null, expiresAt };
      await writeState(noteOf(id), note).finally(() => removeBytes(id));
    },
    async removeExpired() {
      for (const name of await readdir(folder)) {
        const [id = ""] = name.split(".", 1);
        const upload = await find(id).catch(() => null);
        if (!upload) await removeLeftOver(join(folder, name));
        else if (upload.expiresAt < Date.now()) await remove(id);
      }
    },
  };
}

/** Whether it can become an object: a partial upload waits for the concatenation. */
export function isWhole({ offset, length, deferred, concat }: Upload): boolean {
  return offset === length && !deferred && concat !== "partial";
}

/** Removes a file left behind by a crash between two steps. */
async function removeLeftOver(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && found.mtimeMs < Date.now() - LEFT_OVER_MS) await rm(path, { force: true });
}

/** Minimum age to remove files that belong to no upload: creating an upload never takes this long. */
const LEFT_OVER_MS = 3_600_000;
const REMEMBERED_MS = 3_600_000;

/** Atomic. */
async function writeState(path: string, announced: AnnouncedUpload): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(announced), { flush: true });
  await rename(`${path}.new`, path);
}

async function readState(path: string): Promise<AnnouncedUpload | null> {
  const text = await readFile(path, "utf8").catch(asMissing);
  return text === null ? null : JSON.parse(text);
}

function asMissing(cause: NodeJS.ErrnoException): null {
  if (cause.code === "ENOENT") return null;
  throw cause;
}

async function write(path: string, body: Readable, offset: number, length: number): Promise<number> {
  const file = await open(path, "r+");
  let position = offset;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      if (position + chunk.byteLength > length) throw tooLarge();
      for (let written = 0; written < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(
          chunk,
          written,
          chunk.byteLength - written,
          position + written,
        );
        written += bytesWritten;
      }
      position += chunk.byteLength;
    }
  } catch (cause) {
    throw body.errored ? invalidRequest("The upload was cut off before its end") : diskFull(cause);
  } finally {
    await file.sync().finally(() => file.close());
  }
  return position;
}
