import { rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { inChunks } from "#backend/memory/in-chunks.ts";
import { MissingFileError, type ObjectStore } from "./object-store.ts";
import { readLater } from "./read-later.ts";
import { openS3 } from "./s3-client.ts";

export type S3Options = {
  bucket: string;
  region: string;
  /** URL of any S3-compatible server; AWS if not set. */
  endpoint?: string | undefined;
  /** Milliseconds of silence after which a request fails; a minute by default. */
  patience?: number;
};

const FOLDER = "objects/";
const AT_ONCE = 8;

/** An object store in a bucket of any S3 server. */
export function createS3Store({ bucket: Bucket, region, endpoint, patience }: S3Options): ObjectStore {
  const client = openS3(region, endpoint, patience);
  const place = (version: string) => ({ Bucket, Key: FOLDER + version });
  const get = async (version: string, Range?: string) => {
    const { Body } = await client.send(new GetObjectCommand({ ...place(version), Range })).catch(asMissing);
    return Body as NonNullable<typeof Body>;
  };

  return {
    async adopt(path, version) {
      const { size } = await stat(path);
      const failure = new AbortController();
      // The client does not handle the errors of the stream, nor close it if the request fails.
      const Body = readLater(path).once("error", () => failure.abort());
      await client
        .send(new PutObjectCommand({ ...place(version), Body, ContentLength: size }), {
          abortSignal: failure.signal,
        })
        .catch((cause) => {
          throw Body.errored ?? cause;
        })
        .finally(() => Body.destroy());
      await rm(path, { force: true });
    },
    async read(version, range) {
      return (await get(version, range && `bytes=${range.start}-${range.end}`)) as Readable;
    },
    async readWhole(version) {
      return (await get(version)).transformToByteArray();
    },
    async copy(from, to) {
      await client
        .send(new CopyObjectCommand({ ...place(to), CopySource: `${Bucket}/${FOLDER}${from}` }))
        .catch(asMissing);
    },
    async remove(versions) {
      for (const some of inChunks(versions, AT_ONCE))
        await Promise.all(some.map((version) => client.send(new DeleteObjectCommand(place(version)))));
    },
    async *olderThan(seconds) {
      const latest = Date.now() - seconds * 1000;
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: FOLDER })) {
        const old = (page.Contents ?? []).filter(
          ({ LastModified }) => LastModified && +LastModified <= latest,
        );
        yield old.map(({ Key }) => (Key as string).slice(FOLDER.length));
      }
    },
    close: async () => client.destroy(),
  };
}

function asMissing(cause: unknown): never {
  const isMissing = ["NoSuchKey", "NotFound"].includes((cause as Error).name);
  throw isMissing ? new MissingFileError("the version has no file", { cause }) : cause;
}
