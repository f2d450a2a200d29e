import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Runs podman with private image and container storage; returns its output. */
export type Engine = {
  podman(...args: string[]): Promise<string>;
  /** For accompanying files. */
  folder: string;
  close(): void;
};

const HYBRID = "/sys/fs/cgroup/unified";

/** Which of these programs are not installed. */
export function missingPrograms(names: readonly string[]): string[] {
  return names.filter((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).error !== undefined);
}

/**
 * Where cgroups v1 and v2 are both mounted, which crun refuses, reruns this program without the v2 mount and returns
 * its exit status; null if it can proceed.
 */
export function runWhereContainersRun(program: string): number | null {
  if (!readFileSync("/proc/self/mounts", "utf8").includes(` ${HYBRID} `)) return null;
  const script = `umount ${HYBRID} && exec "$@"`;
  const self = [process.execPath, ...process.execArgv, program, ...process.argv.slice(2)];
  return (
    spawnSync("unshare", ["--mount", "sh", "-c", script, "sh", ...self], { stdio: "inherit" }).status ?? 1
  );
}

export function openEngine(): Engine {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-image-"));
  // The container's user must be able to traverse this folder.
  chmodSync(folder, 0o755);
  const hasOverlay =
    process.getuid?.() === 0 && readFileSync("/proc/filesystems", "utf8").includes("overlay");
  const driver = `--storage-driver=${hasOverlay ? "overlay" : "vfs"}`;
  const place = [`--root=${join(folder, "root")}`, `--runroot=${join(folder, "run")}`, driver];
  const ways = [...place, "--cgroup-manager=cgroupfs", "--events-backend=none"];
  return {
    folder,
    async podman(...args) {
      const options = { maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)("podman", [...ways, ...args], options);
      return stdout.trim();
    },
    close() {
      execFileSync("podman", [...ways, "rm", "--force", "--all", "--time=0"], { stdio: "ignore" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
