import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSmallDisk } from "#tests/helpers/small-disk.ts";
import { describeFault } from "../configuration/start-error.ts";
import { openBackupPlace } from "./backup-place.ts";
import { writeCounted } from "./inventory.ts";
import { makeBackup } from "./make-backup.ts";
import { requireRoom } from "./require-room.ts";
import { writeBackup } from "./write-backup.ts";

test("a backup whose proof would fill the site's disk is refused before anything is written", async () => {
  const parent = mkdtempSync(join(tmpdir(), "make-backup-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [dataDir, kept] = [join(parent, "data"), join(parent, "kept")];
  mkdirSync(join(dataDir, "postgres/base"), { recursive: true });
  // Without content: takes no room itself.
  writeFileSync(join(dataDir, "postgres/base/table"), "");
  truncateSync(join(dataDir, "postgres/base/table"), 8 * 1024 ** 4);
  const source = { dataDir, databaseUrl: "postgres://nobody@localhost:1/none", filesInS3: false };
  const making = makeBackup({ source, settings: { keep: 1, to: { folder: kept } }, walArchive: null });
  await expect(making).rejects.toThrow(
    /^a backup and its proof need 1\d{7} MB on the disk of \S+data, and only \d+ MB are free there\.$/,
  );
  await expect(requireRoom(source, join(kept, "by/hand"), { isProven: false })).rejects.toThrow(
    /^The backup needs 8\d{6} MB on the disk of \S+data, /,
  );
  expect(readdirSync(kept)).toEqual([]);
  expect(readdirSync(dataDir)).toEqual(["postgres"]);
});

test("a backup into a place in which no folder can be made is refused instead of tried forever", async () => {
  const source = { dataDir: tmpdir(), databaseUrl: "postgres://nobody@localhost:1/none", filesInS3: false };
  const refused = await writeBackup(source, "/proc/nowhere").catch(describeFault);
  expect(refused).toBe("/proc/nowhere.unfinished cannot be used: no folder can be made there.");
  const place = await openBackupPlace({ folder: "/proc/nowhere/deep" });
  await expect(place.sweep()).rejects.toThrow("mkdir '/proc/nowhere'");
});

test("a backup that finds no room says on which disk", async ({ skip }) => {
  const { folder, isMounted, remove } = createSmallDisk(1);
  onTestFinished(remove);
  skip(!isMounted, "only root may mount a disk");
  const content = async function* () {
    for (let part = 0; part < 4; part++) yield Buffer.alloc(512 * 1024);
  };
  const refused = await writeCounted(folder, "postgres/base/table", content()).catch(describeFault);
  expect(refused).toBe(`${folder}/postgres/base/table cannot be used: there is no room left on its disk.`);
});
