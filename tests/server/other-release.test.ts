import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workersOf } from "#tests/helpers/processes.ts";
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
const REFUSAL = /Other files are installed here than those that run, so nothing is replaced/g;

let folder: string;
let server: ServerProcess;

/** A release in a folder of its own, that another one may be unpacked over. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fruit-values-release-"));
  for (const part of INSTALLED) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  server = await startServer({ cwd: folder, env: { DATA_DIR: join(folder, "data"), WORKERS: "2" } });
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("SIGUSR2 replaces nothing where other files lie than those that run, says why, and the site serves on", async () => {
  const before = workersOf(server.pid);
  expect(before).toHaveLength(2);
  const refusals = () => server.output().match(REFUSAL)?.length ?? 0;

  // Another number.
  const description = readFileSync(join(folder, "package.json"), "utf8");
  writeFileSync(
    join(folder, "package.json"),
    description.replace(/"version": "[^"]+"/, '"version": "99.0.0"'),
  );
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(refusals).toBe(1);

  // The same number, and another file, as a checkout between two releases has it.
  writeFileSync(join(folder, "package.json"), description);
  const file = join(folder, "server/serve-site.ts");
  const code = readFileSync(file, "utf8");
  appendFileSync(file, "// changed\n");
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(refusals).toBe(2);
  expect(workersOf(server.pid)).toEqual(before);
  expect((await fetch(`${server.address}/values`)).status).toBe(200);

  // As they were.
  writeFileSync(file, code);
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(() => server.output()).toContain("All 2 processes that serve were replaced.");
  expect(refusals()).toBe(2);
});
