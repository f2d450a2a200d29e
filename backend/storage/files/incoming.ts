import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { invalidRequest, StorageError, tooLarge } from "../storage-error.ts";
import { diskFull } from "./disk-full.ts";

/** A completely received body, under an unguessable name. */
export type ArrivedFile = {
  path: string;
  size: number;
  /** MD5 in hexadecimal: what S3 clients expect as an ETag; not used for security. */
  md5: string;
  discard(): Promise<void>;
};

/** The folder for incoming bodies before they are validated. */
export type Incoming = {
  /** Streams a request's body to disk. @throws StorageError 413 beyond `limit` bytes, 507 if the disk is full */
  receive(body: Readable, limit: number): Promise<ArrivedFile>;
  /**
   * Likewise with a stream of our own, which is closed even if it is not read to its end: nobody else would. If it
   * fails, so does this: it was not the client who broke off.
   */
  copy(content: Readable, limit: number): Promise<ArrivedFile>;
  /** Removes files left behind by requests that never finished. */
  clean(olderThanSeconds: number): Promise<void>;
};

/** Marks the files of this process, so that a successor, even one with the same pid, can tell them from its own. */
const OWN_MARK = `${process.pid}-${randomUUID()}`;
const MARKED = /^(\d+)-[\da-f-]{36}\.(?:[\da-f-]{36})$/;

/** Opens the folder and removes unfinished files of processes that no longer run: they cannot be resumed. */
export async function openIncoming(folder: string): Promise<Incoming> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (isOfTheDead(name)) await rm(join(folder, name), { force: true });
  }

  async function receive(body: Readable, limit: number): Promise<ArrivedFile> {
    const path = join(folder, `${OWN_MARK}.${randomUUID()}`);
    const discard = () => rm(path, { force: true });
    try {
      return { path, discard, ...(await write(body, path, limit)) };
    } catch (cause) {
      await discard();
      if (cause instanceof StorageError) throw cause;
      throw body.errored ? invalidRequest("The upload was cut off before its end") : diskFull(cause);
    }
  }

  return {
    receive,
    copy: (content, limit) =>
      receive(content, limit)
        .catch((cause) => {
          throw content.errored ?? cause;
        })
        .finally(() => content.destroy()),
    async clean(olderThanSeconds) {
      const latest = Date.now() - olderThanSeconds * 1000;
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (found?.isFile() && found.mtimeMs <= latest) await rm(path, { force: true });
      }
    },
  };
}

function isOfTheDead(name: string): boolean {
  const pid = Number(MARKED.exec(name)?.[1]);
  if (!pid || name.startsWith(OWN_MARK)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ESRCH";
  }
}

async function write(
  body: Readable,
  path: string,
  limit: number,
): Promise<Pick<ArrivedFile, "size" | "md5">> {
  const hash = createHash("md5");
  let size = 0;
  const file = await open(path, "wx");
  try {
    // On a refusal, the server drains the rest of the body: a client still sending should get to read the response.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge();
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, md5: hash.digest("hex") };
}
