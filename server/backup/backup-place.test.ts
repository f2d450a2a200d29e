import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BackupTarget } from "../configuration/backup-settings.ts";
import { openBackupPlace } from "./backup-place.ts";
import { INVENTORY, type KeptBackups } from "./kept-backups.ts";

const [FIRST, SECOND, THIRD] = ["2026-11-22T04-00-00Z", "2026-11-23T04-00-00Z", "2026-11-24T04-00-00Z"];

const parent = mkdtempSync(join(tmpdir(), "places-"));
let bucket: S3rver;
let endpoint: string;

beforeAll(async () => {
  bucket = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: join(parent, "s3"),
    configureBuckets: [{ name: "safe" }],
    // It computes the signature of a listing differently than Amazon does.
    allowMismatchedSignatures: true,
  });
  const { port } = await bucket.run();
  endpoint = `http://127.0.0.1:${port}`;
  vi.stubEnv("AWS_ACCESS_KEY_ID", "S3RVER");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "S3RVER");
});

afterAll(async () => {
  await bucket.close();
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true });
});

async function keepIn(place: KeptBackups, backup: string): Promise<void> {
  const folder = place.folderOf(backup, join(parent, "work"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, INVENTORY), "{}");
  await place.keep(backup, folder);
}

const targets: Record<string, () => BackupTarget> = {
  "a folder": () => ({ folder: join(parent, "kept") }),
  S3: () => ({ bucket: "safe", prefix: "site/", region: "us-east-1", endpoint }),
};

test.each(Object.keys(targets))(
  "in %s a backup counts once it is verified, and others are swept",
  async (name) => {
    const target = targets[name]?.() as BackupTarget;
    const place = await openBackupPlace(target);
    const keep = (backup: string) => keepIn(place, backup);
    await place.sweep();
    for (const backup of [FIRST, SECOND] as const) await keep(backup as string);
    expect(await place.list()).toEqual([]);
    await place.accept(FIRST as string);
    expect(await place.list()).toEqual([FIRST]);
    await place.sweep();
    await place.accept(SECOND as string).catch(() => {});
    expect(await place.list()).toEqual([FIRST]);
    await keep(THIRD as string);
    await place.accept(THIRD as string);
    await place.remove(FIRST as string);
    expect(await place.list()).toEqual([THIRD]);
    if ("folder" in target) expect(readdirSync(target.folder)).toEqual([THIRD]);
    place.close();
  },
);

test("a backup in S3 whose size is refused is not fetched", async () => {
  const place = await openBackupPlace({ bucket: "safe", prefix: "large/", region: "us-east-1", endpoint });
  await keepIn(place, FIRST as string);
  const folder = join(parent, "fetched");
  const check = vi.fn(() => Promise.reject(new Error("no room")));
  await expect(place.fetch(FIRST as string, folder, check)).rejects.toThrow("no room");
  // A tar archive of one short file: two blocks, and two that end it.
  expect(check).toHaveBeenCalledWith(2048);
  expect(existsSync(folder)).toBe(false);
  await place.fetch(FIRST as string, folder);
  expect(readdirSync(folder)).toEqual([INVENTORY]);
  place.close();
});

test("in S3 a backup that another process stores while backups are listed does not count", async () => {
  const target = { bucket: "safe", prefix: "busy/", region: "us-east-1", endpoint };
  const [reader, writer] = [await openBackupPlace(target), await openBackupPlace(target)];
  const send = S3Client.prototype.send;
  let isStored = false;
  const sending = vi.spyOn(S3Client.prototype, "send").mockImplementation(async function (
    this: S3Client,
    ...sent: unknown[]
  ) {
    const answer = await Reflect.apply(send, this, sent);
    if (sent[0] instanceof ListObjectsV2Command && !isStored) {
      isStored = true;
      await keepIn(writer, FIRST as string);
    }
    return answer;
  });
  try {
    expect(await reader.list()).toEqual([]);
    expect(isStored).toBe(true);
  } finally {
    sending.mockRestore();
    reader.close();
    writer.close();
  }
});

test("in S3 the parts of interrupted backups are swept, and nobody else's", async () => {
  const Key = `site/${FIRST}.tar`;
  const Uploads = [Key, `site/${SECOND}.unproven`, "site/notes.tar"].map((each, n) => ({
    Key: each,
    UploadId: `upload ${n}`,
  }));
  const aborted: unknown[] = [];
  const send = S3Client.prototype.send;
  // The bucket of this test cannot list them.
  const sending = vi.spyOn(S3Client.prototype, "send").mockImplementation(async function (
    this: S3Client,
    ...sent: unknown[]
  ) {
    const [command] = sent;
    if (command instanceof ListMultipartUploadsCommand && command.input.Prefix === "site/")
      return { Uploads };
    if (command instanceof AbortMultipartUploadCommand) return aborted.push(command.input);
    return Reflect.apply(send, this, sent);
  });
  const place = await openBackupPlace({ bucket: "safe", prefix: "site/", region: "us-east-1", endpoint });
  try {
    await place.sweep();
    expect(aborted).toEqual([{ Bucket: "safe", Key, UploadId: "upload 0" }]);
  } finally {
    sending.mockRestore();
    place.close();
  }
});
