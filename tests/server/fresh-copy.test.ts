import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isRunning, postmasterOf } from "#tests/helpers/processes.ts";
import { startServer } from "#tests/helpers/server-process.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
// Two starts, a build, and a few hundred MB of packages.
const SLOW = 180_000;
const PATIENT = { timeout: 20_000, interval: 50 };

/** The sources as cloned, with packages installed and nothing built. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" });
  for (const file of files.split("\0").filter(existsSync)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  copyPackages(folder);
  return folder;
}

/** Uses hard links, which cost neither space nor time but need a single file system. */
function copyPackages(folder: string): void {
  try {
    execFileSync("cp", ["-al", "node_modules", folder], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", "node_modules", folder]);
  }
}

/** Changes the owner only of what the links do not share: folders and the sources' own files. */
function giveTo(folder: string, user: number): void {
  const owner = `${user}:${user}`;
  execFileSync("find", [
    folder,
    "(",
    "-type",
    "d",
    "-o",
    "-not",
    "-path",
    "*/node_modules/*",
    ")",
    "-exec",
    "chown",
    owner,
    "{}",
    "+",
  ]);
}

async function npmStart(cwd: string, user?: number) {
  const server = await startServer({ cwd, command: ["npm", "start"], env: { HOME: cwd }, user });
  const postmaster = postmasterOf(join(cwd, "data"));
  const stop = async () => {
    await server.stop();
    await expect.poll(() => isRunning(postmaster), PATIENT).toBe(false);
  };
  onTestFinished(stop);
  // On a busy machine the first page may answer 503 with Retry-After.
  const readPage = async () => {
    const page = await fetch(`${server.address}/values`);
    return [page.status, (await page.text()).includes("Kitsune")];
  };
  await expect.poll(readPage, PATIENT).toEqual([200, true]);
  return { output: server.output, stop };
}

test.skipIf(!isRoot)(
  "npm start works for root in a root-only folder, and then, with nothing left to install or build, for an ordinary user to whom the folder was given",
  async () => {
    const folder = copyRepository();
    chmodSync(folder, 0o700);
    const first = await npmStart(folder);
    expect(first.output()).toMatch(/Building the site: done[\s\S]*initial catalogue loaded/);
    await first.stop();
    rmSync(join(folder, "data"), { recursive: true });
    giveTo(folder, NOBODY);
    const second = await npmStart(folder, NOBODY);
    expect(second.output()).toContain("initial catalogue loaded");
    expect(second.output()).not.toMatch(/Installing|Building|copied/);
    expect(statSync(join(folder, "data/postgres/PG_VERSION")).uid).toBe(NOBODY);
  },
  SLOW,
);
