import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { extract } from "tar-stream";
import * as v from "valibot";
import { keepFiles } from "#backend/storage/files/kept-files.ts";
import { StartError } from "../configuration/start-error.ts";
import { makeFolder } from "../data-dir/make-folder.ts";
import { SECRET_FILES } from "../data-dir/secret-files.ts";
import { takeBaseBackup } from "./base-backup.ts";
import { copyCounted, flushFiles, type KeptFile, writeCounted, writeInventory } from "./inventory.ts";

/** The data to back up. */
export type BackupSource = {
  dataDir: string;
  /** The running PostgreSQL, as superuser. */
  databaseUrl: string;
  filesInS3: boolean;
};

/** The folder of the uploaded files in the data folder, and in a backup. */
export const UPLOADS = "storage/files";

/** A finished backup. */
export type WrittenBackup = { folder: string; files: number; bytes: number };

/**
 * Writes a backup into `folder`, which must not exist yet, while the site runs. Everything committed before it ends is
 * in it, and each file is verified against a checksum. It has a temporary name until it is complete.
 */
export async function writeBackup(source: BackupSource, folder: string): Promise<WrittenBackup> {
  const target = resolve(folder);
  if (existsSync(target)) throw new StartError(`${target} is there already: name a folder that is not.`);
  const half = `${target}.unfinished`;
  rmSync(half, { recursive: true, force: true });
  makeFolder(half);
  try {
    const files = await fill(source, half);
    renameSync(half, target);
    await flushFiles(dirname(target), []);
    return { folder: target, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw error;
  }
}

async function fill({ dataDir, databaseUrl, filesInS3 }: BackupSource, half: string): Promise<KeptFile[]> {
  const uploads = join(dataDir, UPLOADS);
  mkdirSync(dirname(uploads), { recursive: true, mode: 0o700 });
  const kept = keepFiles(uploads);
  const copied: KeptFile[] = [];
  let cluster: Cluster;
  try {
    cluster = await copyCluster(databaseUrl, half);
    if (!filesInS3)
      for (const path of listUploads(dataDir)) copied.push(await copyCounted(dataDir, half, path));
  } finally {
    kept.release();
  }
  for (const name of SECRET_FILES)
    if (existsSync(join(dataDir, name))) copied.push(await copyCounted(dataDir, half, name));
  chownAll(join(half, "postgres"), statSync(join(dataDir, "postgres")));
  const files = [...cluster.files, ...copied];
  await flushFiles(half, [...cluster.folders, ...files.map(({ path }) => path)]);
  const postgres = readFileSync(join(half, "postgres/PG_VERSION"), "utf8").trim();
  const madeAt = new Date().toISOString();
  await writeInventory(half, { format: 1, madeAt, postgres, filesInS3, folders: cluster.folders, files });
  return files;
}

type Cluster = { files: KeptFile[]; folders: string[] };

/** Unpacks the database's files as they arrive and verifies them against PostgreSQL's checksums. */
async function copyCluster(databaseUrl: string, half: string): Promise<Cluster> {
  const archive = extract();
  const manifest = new PassThrough();
  const unpacked = unpack(archive, half);
  const listed = buffer(manifest);
  const taken = takeBaseBackup(databaseUrl, { archive, manifest });
  taken.catch((error) => archive.destroy(error));
  // A full disk fails both; awaiting `unpacked` first reports the disk error itself.
  await Promise.allSettled([unpacked, taken]);
  const cluster = await unpacked;
  await taken;
  const list = await listed;
  requireListed(cluster.files, list);
  const written = await writeCounted(half, "postgres/backup_manifest", Readable.from([list]));
  return { ...cluster, files: [...cluster.files, written] };
}

async function unpack(archive: ReturnType<typeof extract>, half: string): Promise<Cluster> {
  const cluster: Cluster = { files: [], folders: ["postgres"] };
  mkdirSync(join(half, "postgres"), { mode: 0o700 });
  for await (const entry of archive) {
    const path = `postgres/${entry.header.name.replace(/^\.\//, "").replace(/\/$/, "")}`;
    if (entry.header.type === "directory") {
      mkdirSync(join(half, path), { recursive: true, mode: 0o700 });
      cluster.folders.push(path);
      entry.resume();
    } else if (entry.header.type === "file") {
      cluster.files.push(await writeCounted(half, path, entry as AsyncIterable<Buffer>));
    } else {
      throw new Error(`${path} is a ${entry.header.type}`);
    }
  }
  return cluster;
}

const Manifest = v.object({
  Files: v.array(v.object({ Path: v.string(), Size: v.number(), Checksum: v.string() })),
});

/** WAL files are not in the manifest: each WAL record carries its own checksum, which recovery verifies. */
function requireListed(files: KeptFile[], manifest: Buffer): void {
  const { Files: listed } = v.parse(Manifest, JSON.parse(manifest.toString("utf8")));
  const found = new Map(files.map((file) => [file.path, file]));
  for (const { Path: path, Size: size, Checksum: sha256 } of listed) {
    const file = found.get(`postgres/${path}`);
    if (file?.size !== size || file.sha256 !== sha256)
      throw new Error(`${path} did not arrive as PostgreSQL sent it`);
  }
}

/** The uploaded files' paths in the data folder. */
export function listUploads(dataDir: string): string[] {
  const shelves = readNames(join(dataDir, UPLOADS));
  return shelves.flatMap((shelf) =>
    readNames(join(dataDir, UPLOADS, shelf)).map((name) => `${UPLOADS}/${shelf}/${name}`),
  );
}

function readNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** PostgreSQL reads its files only as the account that owns them; only root can change the owner. */
export function chownAll(folder: string, { uid, gid }: { uid: number; gid: number }): void {
  if (process.getuid?.() !== 0) return;
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    chownSync(join(folder, name), uid, gid);
  }
}
