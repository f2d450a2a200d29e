import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { extract, type Pack, pack } from "tar-stream";
import { openS3 } from "#backend/storage/files/s3-client.ts";
import type { S3Place } from "../configuration/backup-settings.ts";
import { BACKUP_NAME, type KeptBackups, UNPROVEN } from "./kept-backups.ts";

const SUFFIX = ".tar";
/** An object has 10,000 parts at most: 640 GB. */
const PART_BYTES = 64 * 1024 * 1024;

/** Backups in S3, each a single archive object, so that it is there whole or not at all. */
export function openS3Place({ bucket: Bucket, prefix, region, endpoint }: S3Place): KeptBackups {
  const client = openS3(region, endpoint);
  const place = (name: string) => ({ Bucket, Key: `${prefix}${name}${SUFFIX}` });
  // S3 cannot rename, and copies at most 5 GB at once: a mark says that the archive beside it does not count.
  const mark = (name: string) => ({ Bucket, Key: `${prefix}${name}${UNPROVEN}` });

  /** The backups with a key of this ending, oldest first. */
  const namesIn = (keys: string[], suffix: string) =>
    keys
      .filter((key) => key.endsWith(suffix))
      .map((key) => key.slice(prefix.length, -suffix.length))
      .filter((name) => BACKUP_NAME.test(name))
      .sort();

  /** The backups with an archive, and those with a mark, of one listing, where each mark follows its archive. */
  async function listStored() {
    const keys: string[] = [];
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
      keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    return { archives: namesIn(keys, SUFFIX), unproven: namesIn(keys, UNPROVEN) };
  }

  /** Parts of archives whose upload a killed process began: no object shows them, but they cost as much. */
  async function abortUploads() {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix }));
    for (const { Key = "", UploadId } of Uploads)
      if (namesIn([Key], SUFFIX).length > 0)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }

  const remove = async (name: string) => void (await client.send(new DeleteObjectCommand(place(name))));
  const accept = async (name: string) => void (await client.send(new DeleteObjectCommand(mark(name))));

  return {
    async list() {
      const { archives, unproven } = await listStored();
      return archives.filter((name) => !unproven.includes(name));
    },
    folderOf: (name, work) => join(work, name),
    async keep(name, folder) {
      await client.send(new PutObjectCommand({ ...mark(name), Body: "" }));
      const archive = pack();
      // The uploader accepts Node streams only.
      const body = new PassThrough();
      archive.once("error", (error) => body.destroy(error));
      archive.pipe(body);
      const params = { ...place(name), Body: body };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 });
      await Promise.all([packFolder(folder, archive), upload.done()]);
      await rm(folder, { recursive: true, force: true });
    },
    async fetch(name, folder, check) {
      if (check) await check((await client.send(new HeadObjectCommand(place(name)))).ContentLength ?? 0);
      const { Body } = await client.send(new GetObjectCommand(place(name)));
      await unpackFolder(Body as Readable, resolve(folder));
    },
    accept,
    remove,
    async sweep() {
      for (const name of (await listStored()).unproven) {
        await remove(name);
        // Last, so that whatever is left still does not count.
        await accept(name);
      }
      // Not every server can list them, or lets these credentials; backups do not depend on it.
      await abortUploads().catch(() => {});
    },
    close: () => client.destroy(),
  };
}

async function packFolder(folder: string, archive: Pack): Promise<void> {
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const { size } = await stat(file);
      const name = file
        .slice(folder.length + 1)
        .split(sep)
        .join("/");
      await pipeline(createReadStream(file), archive.entry({ name, size, mode: 0o600 }));
    }
    archive.finalize();
  } catch (error) {
    archive.destroy(error as Error);
    throw error;
  }
}

async function unpackFolder(body: Readable, folder: string): Promise<void> {
  const archive = extract();
  body.once("error", (error) => archive.destroy(error));
  body.pipe(archive);
  for await (const entry of archive) {
    const file = resolve(folder, entry.header.name);
    if (!file.startsWith(folder + sep)) throw new Error("the archive names a file outside of itself");
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(entry, createWriteStream(file, { mode: 0o600 }));
  }
}
