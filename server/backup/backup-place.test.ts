import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BackupTarget } from "../configuration/backup-settings.ts";
import { openBackupPlace } from "./backup-place.ts";
import { INVENTORY } from "./kept-backups.ts";

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

const targets: Record<string, () => BackupTarget> = {
  "a folder": () => ({ folder: join(parent, "kept") }),
  S3: () => ({ bucket: "safe", prefix: "site/", region: "us-east-1", endpoint }),
};

test.each(Object.keys(targets))(
  "in %s a backup counts once it is verified, and others are swept",
  async (name) => {
    const target = targets[name]?.() as BackupTarget;
    const work = join(parent, "work");
    const place = await openBackupPlace(target);
    const keep = async (backup: string) => {
      const folder = place.folderOf(backup, work);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, INVENTORY), "{}");
      await place.keep(backup, folder);
    };
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
