import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { diskFull } from "../files/disk-full.ts";
import type { ArrivedFile } from "../files/incoming.ts";
import { invalidRequest, StorageError, tooLarge } from "../storage-error.ts";

/** An upload that comes in pieces, as it was announced. */
export type AnnouncedUpload = {
  bucket: string;
  name: string;
  /** All pieces together, in bytes. */
  length: number;
  upsert: boolean;
  mimetype: string;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
  /** Who began it, and is the only one to go on with it. */
  role: string;
  owner: string | null;
  /** Whether it was begun by a signed address, in `owner`'s name. */
  signed: boolean;
  expiresAt: number;
};

export type Upload = AnnouncedUpload & { id: string; offset: number };

/** Uploads under way, each as a file of what came so far and one of what is to come. */
export type UploadStore = {
  /** @throws StorageError 429 where the person has too many under way */
  create(announced: AnnouncedUpload): Promise<Upload>;
  find(id: string): Promise<Upload | null>;
  /** Writes what follows at the upload's offset; gives the new one. What came before a cut stays. */
  append(upload: Upload, body: Readable): Promise<number>;
  /** The whole file, no longer an upload. */
  take(upload: Upload): Promise<ArrivedFile>;
  remove(id: string): Promise<void>;
  removeExpired(): Promise<void>;
};

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** @param perPerson uploads of one person at a time; servers may have any number, visitors count as one person. */
export async function openUploadStore(folder: string, perPerson: number): Promise<UploadStore> {
  await mkdir(folder, { recursive: true });
  /** Whose the uploads under way are, by their ids. */
  const owners = new Map<string, string>();
  const partOf = (id: string) => join(folder, `${id}.part`);
  const stateOf = (id: string) => join(folder, `${id}.json`);

  async function find(id: string): Promise<Upload | null> {
    if (!ID.test(id)) return null;
    try {
      const announced: AnnouncedUpload = JSON.parse(await readFile(stateOf(id), "utf8"));
      const { size } = await stat(partOf(id));
      return { ...announced, id, offset: size };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw cause;
    }
  }

  async function remove(id: string): Promise<void> {
    owners.delete(id);
    await rm(stateOf(id), { force: true });
    await rm(partOf(id), { force: true });
  }

  /** Takes the place at once, so that nobody slips in between. */
  function register(id: string, announced: AnnouncedUpload): void {
    const person = personOf(announced);
    const count = [...owners.values()].filter((owner) => owner === person).length;
    if (count >= perPerson && person !== "service_role") throw tooMany();
    owners.set(id, person);
  }

  for (const name of await readdir(folder)) {
    const [id = ""] = name.split(".", 1);
    // What cannot be read is no reason not to start.
    const left = await find(id).catch(() => null);
    if (left) owners.set(id, personOf(left));
  }

  return {
    find,
    remove,
    async create(announced) {
      const id = randomUUID();
      register(id, announced);
      try {
        await writeFile(partOf(id), "", { flag: "wx" });
        await writeFile(`${stateOf(id)}.new`, JSON.stringify(announced), { flush: true });
        await rename(`${stateOf(id)}.new`, stateOf(id));
      } catch (cause) {
        await remove(id);
        throw diskFull(cause);
      }
      return { ...announced, id, offset: 0 };
    },
    async append({ id, offset, length }, body) {
      return write(partOf(id), body, offset, length);
    },
    async take({ id, length }) {
      const path = join(folder, `${id}.whole`);
      await rename(partOf(id), path);
      await remove(id);
      const hash = createHash("md5");
      await pipeline(createReadStream(path), hash);
      return { path, size: length, md5: hash.digest("hex"), discard: () => rm(path, { force: true }) };
    },
    async removeExpired() {
      for (const name of await readdir(folder)) await removeIfExpired(name);
    },
  };

  async function removeIfExpired(name: string): Promise<void> {
    const [id = ""] = name.split(".", 1);
    const upload = await find(id).catch(() => null);
    const path = join(folder, name);
    if (upload) {
      if (upload.expiresAt < Date.now()) await remove(id);
      return;
    }
    // Left by a crash between two steps.
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < Date.now() - LEFT_OVER_MS) await rm(path, { force: true });
  }
}

/** By a signed address it is whoever made that. */
function personOf({ owner, role }: AnnouncedUpload): string {
  return owner ?? role;
}

function tooMany(): StorageError {
  const message = "Too many of your uploads are under way, please finish some of them first";
  return new StorageError(429, "SlowDown", message);
}

const LEFT_OVER_MS = 24 * 3_600_000;

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
