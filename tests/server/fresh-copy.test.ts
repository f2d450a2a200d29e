import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isRunning, postmasterOf } from "#tests/helpers/processes.ts";
import { startServer } from "#tests/helpers/server-process.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
// A build, and a few hundred MB of packages.
const SLOW = { timeout: 180_000 };
const PATIENT = { timeout: 20_000, interval: 50 };

/** The sources as cloned, with packages installed and nothing built. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-copy-"));
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
  onTestFinished(async () => {
    await server.stop();
    await expect.poll(() => isRunning(postmaster), PATIENT).toBe(false);
  });
  // On a busy machine the first page may answer 503 with Retry-After.
  const readPage = async () => {
    const page = await fetch(`${server.address}/values`);
    return [page.status, (await page.text()).includes("Kitsune")];
  };
  await expect.poll(readPage, PATIENT).toEqual([200, true]);
  return { output: server.output };
}

describe.skipIf(!isRoot)("npm start in a copy of the repository", () => {
  let folder: string;
  beforeAll(() => {
    folder = copyRepository();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("works for root in a root-only folder", SLOW, async () => {
    chmodSync(folder, 0o700);
    const { output } = await npmStart(folder);
    expect(output()).toMatch(/Building the site: done[\s\S]*initial catalogue loaded/);
  });

  test(
    "with nothing left to install or build, works for an ordinary user to whom the folder was given",
    SLOW,
    async () => {
      rmSync(join(folder, "data"), { recursive: true });
      giveTo(folder, NOBODY);
      const { output } = await npmStart(folder, NOBODY);
      // Logged on another stream than the line that says it is open.
      await expect.poll(output).toContain("initial catalogue loaded");
      expect(output()).not.toMatch(/Installing|Building|copied/);
      expect(statSync(join(folder, "data/postgres/PG_VERSION")).uid).toBe(NOBODY);
    },
  );
});
