import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { UNFINISHED_RESTORE } from "../data-dir/lock-data-dir.ts";
import { writeInventory } from "./inventory.ts";
import { restoreBackup } from "./restore-backup.ts";

vi.mock("node:fs", async (load) => {
  const real = await load<typeof import("node:fs")>();
  return { ...real, rmSync: vi.fn(real.rmSync) };
});

test("a repeated restore that is killed while it empties the folder can be repeated again", async () => {
  const parent = mkdtempSync(join(tmpdir(), "restore-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const dataDir = join(parent, "data");
  mkdirSync(join(dataDir, "storage"), { recursive: true });
  writeFileSync(join(dataDir, UNFINISHED_RESTORE), "");
  const missing = { path: "jwt-secret", size: 1, sha256: "" };
  const madeAt = "2026-11-22T04:00:00Z";
  await writeInventory(parent, {
    format: 1,
    madeAt,
    postgres: "18",
    filesInS3: false,
    folders: [],
    files: [missing],
  });
  const left: string[][] = [];
  const remove = vi.mocked(rmSync).getMockImplementation() as typeof rmSync;
  vi.mocked(rmSync).mockImplementation((path, options) => {
    left.push(readdirSync(dataDir));
    remove(path, options);
  });
  await expect(restoreBackup(parent, dataDir, () => {})).rejects.toThrow("it has no jwt-secret");
  left.push(readdirSync(dataDir));
  expect(left.filter((names) => !names.includes(UNFINISHED_RESTORE))).toEqual([]);
  expect(left.at(-1)).not.toContain("storage");
});
