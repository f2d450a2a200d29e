import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { deriveAccessKey } from "#backend/tokens/derive-key.ts";
import { jwtSecret, openStorage } from "#tests/helpers/storage/storage-server.ts";

const run = promisify(execFile);
const PROGRAM = "/usr/bin/rclone";

function isInstalled(): boolean {
  try {
    execFileSync(PROGRAM, ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!isInstalled())(
  "rclone copies a tree here, lists it, verifies it, mirrors and removes it",
  async () => {
    const testServer = await openStorage();
    const folder = await mkdtemp(join(tmpdir(), "rclone-"));
    onTestFinished(async () => {
      await rm(folder, { recursive: true });
      await testServer.close();
    });
    const { id, secret } = deriveAccessKey(jwtSecret);
    const settings = {
      TYPE: "s3",
      PROVIDER: "Other",
      ENDPOINT: `${testServer.url}/storage/v1/s3`,
      ACCESS_KEY_ID: id,
      SECRET_ACCESS_KEY: secret,
      REGION: "us-east-1",
      LIST_CHUNK: "7",
      CHUNK_SIZE: "5Mi",
      UPLOAD_CUTOFF: "5Mi",
    };
    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      HOME: folder,
      RCLONE_CONFIG: join(folder, "rclone.conf"),
    };
    for (const [name, value] of Object.entries(settings)) env[`RCLONE_CONFIG_HERE_${name}`] = value;
    const rclone = async (...words: string[]) =>
      (await run(PROGRAM, ["--retries", "1", "--low-level-retries", "1", ...words], { env })).stdout;

    const tree = join(folder, "tree");
    const large = randomBytes(12 * 1024 * 1024);
    await mkdir(join(tree, "deep", "er & deeper"), { recursive: true });
    for (let index = 0; index < 20; index++) await writeFile(join(tree, "deep", `${index}.txt`), `${index}`);
    await writeFile(join(tree, "deep", "er & deeper", "why? (it's + 1).txt"), "odd");
    await writeFile(join(tree, "large.bin"), large);

    await rclone("mkdir", "here:cargo");
    expect((await rclone("lsd", "here:")).trim()).toMatch(/ cargo$/m);
    await rclone("copy", tree, "here:cargo/hold");
    expect((await rclone("lsf", "here:cargo/hold")).trim().split("\n")).toEqual(["deep/", "large.bin"]);
    expect(
      (await rclone("lsf", "--recursive", "--files-only", "here:cargo")).trim().split("\n"),
    ).toHaveLength(22);
    await rclone("check", "--download", tree, "here:cargo/hold");
    expect(await rclone("cat", "--offset", "1", "--count", "1", "here:cargo/hold/deep/17.txt")).toBe("7");
    await rclone("copyto", "here:cargo/hold/large.bin", join(folder, "back.bin"));
    expect((await readFile(join(folder, "back.bin"))).equals(large)).toBe(true);
    await rclone("moveto", "here:cargo/hold/deep/7.txt", "here:cargo/hold/deep/seven.txt");
    expect(await rclone("cat", "here:cargo/hold/deep/seven.txt")).toBe("7");
    await rclone("sync", tree, "here:cargo/hold");
    expect(await rclone("lsf", "--files-only", "here:cargo/hold/deep", "--include", "seven*")).toBe("");
    await rclone("purge", "here:cargo");
    expect(await rclone("lsd", "here:")).not.toContain("cargo");
    await expect.poll(() => testServer.files()).toEqual([]);
  },
);
