import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { FETCHED, lockDataDir, UNFINISHED_RESTORE } from "../data-dir/lock-data-dir.ts";
import { type KeptFile, writeCounted, writeInventory } from "./inventory.ts";
import { INVENTORY } from "./kept-backups.ts";
import { restoreBackup } from "./restore-backup.ts";

/** Writes the inventory of a backup that lacks its last file, at which a restore therefore ends. */
function writeBroken(folder: string, others: KeptFile[] = []): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const files = [...others, { path: "jwt-secret", size: 1, sha256: "" }];
  const madeAt = "2026-11-22T04:00:00Z";
  return writeInventory(folder, { format: 1, madeAt, postgres: "18", filesInS3: false, folders: [], files });
}

test("a backup that was downloaded into the data folder is neither data in the way nor emptied", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "restore-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const fetched = join(dataDir, FETCHED);
  await writeBroken(fetched);
  await expect(restoreBackup(fetched, dataDir, () => {})).rejects.toThrow("it has no jwt-secret");
  expect(existsSync(join(fetched, INVENTORY))).toBe(true);
});

test("a restore that is deleted again verifies uploaded files without copying them", async () => {
  const parent = mkdtempSync(join(tmpdir(), "restore-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [backup, dataDir] = [join(parent, "backup"), join(parent, "data")];
  const upload = await writeCounted(backup, "storage/files/ab/abc", Readable.from([Buffer.from("picture")]));
  await writeBroken(backup, [upload]);
  const prove = () => restoreBackup(backup, dataDir, () => {}, { filesStay: true });
  await expect(prove()).rejects.toThrow("it has no jwt-secret");
  expect(readdirSync(dataDir)).not.toContain("storage");
  writeFileSync(join(backup, upload.path), "pictura");
  await expect(prove()).rejects.toThrow("storage/files/ab/abc has changed");
});

test("a backup that is larger than the disk is refused before anything is copied", async () => {
  const parent = mkdtempSync(join(tmpdir(), "restore-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [backup, dataDir] = [join(parent, "backup"), join(parent, "data")];
  const upload = { path: "storage/files/ab/abc", size: 8 * 1024 ** 4, sha256: "" };
  await writeBroken(backup, [upload]);
  await expect(restoreBackup(backup, dataDir, () => {})).rejects.toThrow(
    /^The restore needs 8\d{6} MB on the disk of \S+data, and only \d+ MB are free there\.$/,
  );
  expect(readdirSync(dataDir)).not.toContain(UNFINISHED_RESTORE);
  // Files that stay where they are take no room.
  const proof = restoreBackup(backup, dataDir, () => {}, { filesStay: true });
  await expect(proof).rejects.toThrow(`it has no ${upload.path}`);
});

test("a download is made under the lock, and whatever is left of a killed one keeps sites from starting", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "restore-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, FETCHED));
  writeFileSync(join(dataDir, FETCHED, "half"), "");
  expect(() => lockDataDir(dataDir)).toThrow("was not restored to its end");
  const download = async (folder: string) => {
    expect(existsSync(join(folder, "half")), "a former download was removed").toBe(false);
    await expect(restoreBackup("s3://safe/site/b", dataDir, () => {}, { download })).rejects.toThrow(
      "in use",
    );
    await writeBroken(folder);
  };
  const restored = restoreBackup("s3://safe/site/a", dataDir, () => {}, { download });
  await expect(restored).rejects.toThrow("it has no jwt-secret");
  expect(existsSync(join(dataDir, FETCHED))).toBe(false);
});

test("a repeated restore that is killed while it empties the folder can be repeated again", async () => {
  const parent = mkdtempSync(join(tmpdir(), "restore-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const dataDir = join(parent, "data");
  mkdirSync(join(dataDir, "storage"), { recursive: true });
  writeFileSync(join(dataDir, UNFINISHED_RESTORE), "");
  await writeBroken(parent);
  const left: string[][] = [];
  const remove = rmSync;
  const spy = vi.spyOn(fs, "rmSync").mockImplementation((path, options) => {
    left.push(readdirSync(dataDir));
    remove(path, options);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  await expect(restoreBackup(parent, dataDir, () => {})).rejects.toThrow("it has no jwt-secret");
  expect(spy).toHaveBeenCalled();
  left.push(readdirSync(dataDir));
  expect(left.filter((names) => !names.includes(UNFINISHED_RESTORE))).toEqual([]);
  expect(left.at(-1)).not.toContain("storage");
});
