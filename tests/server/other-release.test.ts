import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepClientFiles, openFormerFiles } from "#server/assets/former-files.ts";
import { workersOf } from "#tests/helpers/processes.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";

const INSTALLED = [
  "backend",
  "build",
  "domain",
  "package.json",
  "package-lock.json",
  "public",
  "server",
  "supabase",
];
/** Kept releases, in the order in which they ran. */
const seen = new Set<string>();
const REFUSAL = /The installed files are not those that are running, so nothing was replaced/g;

/** A file named like a build asset, but present in no other build. */
const OLD = "former-page-B4c9_Xy-.js";
const OLD_SHEET = "drawings-B4c9_Xy-.svg";
const CODE = "export const text = 'of a former release';";

let folder: string;
let dataDir: string;
let server: ServerProcess;

/** A release in its own folder, over which another can be unpacked. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fruit-values-release-"));
  for (const part of INSTALLED) cpSync(part, join(folder, part), { recursive: true });
  writeFileSync(join(folder, "build/client/assets", OLD), CODE);
  writeFileSync(join(folder, "build/client/assets", OLD_SHEET), CODE.repeat(9));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  dataDir = readyDataDir();
  server = await startServer({ cwd: folder, env: { DATA_DIR: dataDir, WORKERS: "2" } });
});

afterAll(async () => {
  await server?.stop();
  for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true });
});

test("SIGUSR2 replaces nothing if the files on disk differ from those running, says why, and the site keeps serving", async () => {
  const before = workersOf(server.pid);
  expect(before).toHaveLength(2);
  const refusals = () => server.output().match(REFUSAL)?.length ?? 0;

  // Another version number.
  const description = readFileSync(join(folder, "package.json"), "utf8");
  writeFileSync(
    join(folder, "package.json"),
    description.replace(/"version": "[^"]+"/, '"version": "99.0.0"'),
  );
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(refusals).toBe(1);

  // Same version, one changed file, as in a checkout between two releases.
  writeFileSync(join(folder, "package.json"), description);
  const file = join(folder, "server/serve-site.ts");
  const code = readFileSync(file, "utf8");
  appendFileSync(file, "// changed\n");
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(refusals).toBe(2);
  expect(workersOf(server.pid)).toEqual(before);
  // On a busy machine the first page may answer 503 with Retry-After.
  await expect.poll(async () => (await fetch(`${server.address}/values`)).status).toBe(200);

  // Restored.
  writeFileSync(file, code);
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(() => server.output()).toContain("All 2 worker processes were replaced.");
  expect(refusals()).toBe(2);
});

test("after an upgrade, pages that are still open find the previous release's files", async () => {
  expect((await fetch(`${server.address}/assets/${OLD}`)).status).toBe(200);
  await server.stop();

  // The next release, in its own folder.
  server = await startServer({ env: { DATA_DIR: dataDir } });
  const kept = await fetch(`${server.address}/assets/${OLD}`);
  expect([kept.status, await kept.text()]).toEqual([200, CODE]);
  expect(Object.fromEntries(kept.headers)).toMatchObject({
    "content-type": "text/javascript",
    "cache-control": "max-age=31536000, immutable",
    "content-encoding": "gzip",
  });
  const sheet = await fetch(`${server.address}/assets/${OLD_SHEET}`);
  expect([sheet.headers.get("content-encoding"), await sheet.text()]).toEqual(["gzip", CODE.repeat(9)]);
  const [own = ""] = readdirSync("build/client/assets").filter((name) => name.endsWith(".css"));
  const today = await fetch(`${server.address}/assets/${own}`);
  expect(await today.text()).toBe(readFileSync(join("build/client/assets", own), "utf8"));
  for (const name of ["none-AbCdEf12.js", "..%2Fjwt-secret", "../jwt-secret"])
    expect((await fetch(`${server.address}/assets/${name}`)).status, name).toBe(404);
  expect(readdirSync(join(dataDir, "client-files"))).toHaveLength(2);
});

test("as many releases are kept as may still be open in a browser, and a broken one does no harm", async () => {
  const data = join(folder, "many");
  for (const release of [1, 2, 3, 4, 5]) {
    const assets = join(folder, `assets-${release}`);
    mkdirSync(assets);
    writeFileSync(join(assets, `page-${release}.js`), `${release}`);
    writeFileSync(join(assets, `page-${release}.js.gz`), "not this one");
    await keepClientFiles(data, assets);
    for (const name of readdirSync(join(data, "client-files")).filter((each) => !seen.has(each))) {
      seen.add(name);
      utimesSync(join(data, "client-files", name), release, release);
    }
  }
  const kept = () =>
    [1, 2, 3, 4, 5].map((release) => openFormerFiles(data)(`page-${release}.js`)?.toString());
  expect(kept()).toEqual([undefined, "2", "3", "4", "5"]);
  expect(openFormerFiles(data)("page-5.js.gz")).toBeNull();
  // The previous release comes back and becomes the last to be dropped.
  await keepClientFiles(data, join(folder, "assets-2"));
  const [oldest = ""] = [...seen].slice(2);
  rmSync(join(data, "client-files", oldest, "page-3.js"));
  expect(kept()).toEqual([undefined, "2", undefined, "4", "5"]);
});

test("a start that was killed while keeping its files does it again, and leftovers that are no build are removed", async () => {
  const data = join(folder, "killed");
  const assets = join(folder, "assets-1");
  await keepClientFiles(data, assets);
  const [build = ""] = readdirSync(join(data, "client-files"));
  // The state before the last file was written.
  renameSync(join(data, "client-files", build), join(data, "client-files", `${build}.new`));
  writeFileSync(join(data, "client-files", `${build}.new`, "page-1.js"), "");
  // The format from before kept files had folders.
  writeFileSync(join(data, "client-files", `${build}.json`), "{}");
  expect(openFormerFiles(data)("page-1.js")).toBeNull();
  await keepClientFiles(data, assets);
  expect(readdirSync(join(data, "client-files"))).toEqual([build]);
  expect(openFormerFiles(data)("page-1.js")?.toString()).toBe("1");
});
