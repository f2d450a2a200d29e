import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Runs podman on images and containers of its own, which nobody else sees; gives what it printed. */
export type Engine = {
  podman(...args: string[]): Promise<string>;
  /** For files that go with it. */
  folder: string;
  close(): void;
};

const PROGRAMS = ["podman", "buildah"];

/** What is not there of what builds and runs a container without a daemon. */
export function missingPrograms(): string[] {
  return PROGRAMS.filter((name) => {
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return false;
    } catch {
      return true;
    }
  });
}

export function openEngine(): Engine {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-image-"));
  // Who runs in the container walks through here.
  chmodSync(folder, 0o755);
  const place = ["--root", join(folder, "root"), "--runroot", join(folder, "run"), "--storage-driver=vfs"];
  const ways = [...place, "--cgroup-manager=cgroupfs", "--events-backend=none"];
  return {
    folder,
    async podman(...args) {
      const options = { maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)("podman", [...ways, ...args], options);
      return stdout.trim();
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
