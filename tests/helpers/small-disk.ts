import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder on a small disk of its own, for tests that fill it. */
export type SmallDisk = {
  folder: string;
  /** Only root may mount; otherwise this is an ordinary folder and the test must be skipped. */
  isMounted: boolean;
  remove(): void;
};

/** `megabytes` is the size of the disk. */
export function createSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "full-"));
  const isMounted = mount(folder, megabytes);
  return {
    folder,
    isMounted,
    remove() {
      if (isMounted) execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mount(folder: string, megabytes: number): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
