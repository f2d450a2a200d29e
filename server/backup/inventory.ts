import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { readLater } from "#backend/storage/files/read-later.ts";
import { syncToDisk } from "#backend/storage/files/sync-to-disk.ts";
import { StartError } from "../configuration/start-error.ts";
import { INVENTORY } from "./kept-backups.ts";

const KeptFile = v.object({ path: v.string(), size: v.number(), sha256: v.string() });
const Inventory = v.object({
  format: v.literal(1),
  madeAt: v.string(),
  /** Version of the bundled PostgreSQL. */
  postgres: v.string(),
  /** Whether uploaded files are in S3, and so not in the backup. */
  filesInS3: v.boolean(),
  /** All folders, since PostgreSQL needs some that are empty. */
  folders: v.array(v.string()),
  /** Paths use forward slashes. */
  files: v.array(KeptFile),
});

export type KeptFile = v.InferOutput<typeof KeptFile>;

/** The contents of a backup. */
export type Inventory = v.InferOutput<typeof Inventory>;

export async function writeInventory(folder: string, inventory: Inventory): Promise<void> {
  await writeFile(join(folder, INVENTORY), `${JSON.stringify(inventory, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  });
}

export async function readInventory(folder: string): Promise<Inventory> {
  if (!existsSync(folder)) throw new StartError(`There is no folder ${folder}.`);
  const text = await readFile(join(folder, INVENTORY), "utf8").catch(() => {
    throw new StartError(
      `${folder} is not a complete backup: it has no ${INVENTORY}, which is written last.`,
    );
  });
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Inventory), text);
  if (!parsed.success)
    throw new StartError(`${join(folder, INVENTORY)} cannot be read: it is broken, or of a later release.`);
  const paths = [...parsed.output.folders, ...parsed.output.files.map(({ path }) => path)];
  const outside = paths.find((path) => path.split("/").some((part) => ["", "..", "."].includes(part)));
  if (outside) throw new StartError(`${join(folder, INVENTORY)} names a file outside of the backup.`);
  return parsed.output;
}

/** Writes a file below `folder`, readable by its owner alone, and returns its inventory entry. */
export async function writeCounted(
  folder: string,
  path: string,
  content: AsyncIterable<Buffer>,
): Promise<KeptFile> {
  const target = join(folder, ...path.split("/"));
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const counter = countContent(path);
  try {
    await pipeline(content, counter.pass, createWriteStream(target, { mode: 0o600, flags: "wx" }));
  } catch (error) {
    throw withPath(error as NodeJS.ErrnoException, target);
  }
  return counter.entry();
}

/** Where a write to an open file failed is not in Node's error: a backup has two disks. */
function withPath(error: NodeJS.ErrnoException, path: string): Error {
  return error.syscall === "write" && !error.path ? Object.assign(error, { path }) : error;
}

/** Reads a file below `folder`, and returns its inventory entry. */
export async function readCounted(folder: string, path: string): Promise<KeptFile> {
  const counter = countContent(path);
  await Readable.from(counter.pass(readLater(join(folder, ...path.split("/"))))).forEach(() => {});
  return counter.entry();
}

/** Passes a file's content on unchanged; afterwards `entry` describes it. */
function countContent(path: string) {
  const hash = createHash("sha256");
  let size = 0;
  return {
    async *pass(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    entry: (): KeptFile => ({ path, size, sha256: hash.digest("hex") }),
  };
}

/** Copies a file from one folder into another, under the same path. */
export async function copyCounted(from: string, to: string, path: string): Promise<KeptFile> {
  return await writeCounted(to, path, readLater(join(from, ...path.split("/"))));
}

/** Syncs files and their parent folders to disk, so that a power cut right after loses nothing. */
export async function flushFiles(folder: string, paths: Iterable<string>): Promise<void> {
  const names = new Set<string>([folder]);
  for (const path of paths) {
    for (let name = join(folder, path); name !== folder; name = dirname(name)) names.add(name);
  }
  await Readable.from(names).forEach(syncToDisk, { concurrency: 16 });
}
