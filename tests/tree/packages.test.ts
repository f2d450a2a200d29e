import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "#tests/helpers/listen.ts";

const repository = resolve(import.meta.dirname, "../..");

/** A clone with the lockfile as modified by `change`. */
function makeClone(change: (packages: Record<string, { license?: string }>) => void = () => {}): string {
  const clone = mkdtempSync(join(tmpdir(), "clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  for (const name of ["scripts", "package.json", "package-lock.json"])
    cpSync(join(repository, name), join(clone, name), { recursive: true });
  const file = join(clone, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  change(lock.packages);
  writeFileSync(file, JSON.stringify(lock));
  return clone;
}

/** A stub registry that answers requests for advisories. */
async function serveRegistry(answer: RequestListener): Promise<string> {
  const { url, close } = await listen(createServer(answer));
  onTestFinished(close);
  return `${url}/`;
}

function check(clone: string, registry = "http://127.0.0.1:1/") {
  // npm caches earlier answers.
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(clone, "cache") };
  return new Promise<{ code: number; said: string }>((done) => {
    const child = execFile(
      process.execPath,
      [join(clone, "scripts/check-packages.mjs")],
      { env },
      (_, out, err) => done({ code: child.exitCode ?? 1, said: out + err }),
    );
  });
}

type Locked = {
  license?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
};

const readJson = (name: string) => JSON.parse(readFileSync(join(repository, name), "utf8"));
const lock: Record<string, Locked> = readJson("package-lock.json").packages;

/** The folders in which Node looks for a package's dependencies: its own, and those above it. */
function foldersAbove(path: string): string[] {
  const above = path
    .split("/node_modules/")
    .map((_, count, names) => names.slice(0, count).join("/node_modules/"));
  return [path, ...above].map((folder) => (folder ? `${folder}/node_modules` : "node_modules"));
}

test("the lockfile has the packages of every system and processor, whichever machine wrote it", () => {
  const missing = Object.entries(lock).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !foldersAbove(path).some((folder) => `${folder}/${name}` in lock),
    ),
  );
  expect(missing).toEqual([]);
});

test("every package that runs a script when it is installed is allowed or denied by name", () => {
  const named = Object.entries(lock).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, "")] : [],
  );
  expect(Object.keys(readJson("package.json").allowScripts).sort()).toEqual(named.sort());
});

const MINUTE = 60_000;

test(
  "without a network the licenses are checked, and every package in the lockfile is listed",
  async () => {
    const clone = makeClone();
    expect(await check(clone)).toEqual({
      code: 0,
      said: "The registry answers no audit here: known faults of packages were not looked up.\n",
    });
    const sbom = JSON.parse(readFileSync(join(clone, "build/sbom.cdx.json"), "utf8"));
    expect(sbom.bomFormat).toBe("CycloneDX");
    const listed = new Set(
      sbom.components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`),
    );
    const { packages } = readJson("package-lock.json");
    const locked = Object.entries<{ version: string }>(packages).flatMap(([path, { version }]) =>
      path ? [`${path.replace(/^.*node_modules\//, "")}@${version}`] : [],
    );
    expect([...listed].sort()).toEqual([...new Set(locked)].sort());
  },
  MINUTE,
);

test(
  "a disallowed or missing license is refused, naming the package",
  async () => {
    const clone = makeClone((packages) => {
      Object.assign(packages["node_modules/pg"] as object, { license: "MIT OR SSPL-1.0" });
      Object.assign(packages["node_modules/ws"] as object, { license: "LGPL-3.0-or-later" });
      delete packages["node_modules/jose"]?.license;
    });
    const { code, said } = await check(clone);
    expect(code).toBe(1);
    expect(said).toMatch(
      /does not allow:\n {2}jose@\S+: no license\n {2}pg@\S+: MIT OR SSPL-1\.0\n {2}ws@\S+: LGPL-3\.0-or-later\n$/,
    );
  },
  MINUTE,
);

test(
  "a severe known vulnerability in a production dependency is refused if the registry reports it, a minor one is not",
  async () => {
    const advisory = (severity: string) => ({
      id: 1,
      url: "https://example.org/1",
      title: "Fault",
      severity,
    });
    for (const [severity, code] of [
      ["critical", 1],
      ["low", 0],
    ] as const) {
      const registry = await serveRegistry((request, response) => {
        const isAudit = request.url?.endsWith("/advisories/bulk");
        const found = { ws: [{ ...advisory(severity), vulnerable_versions: ">=0" }] };
        response.writeHead(isAudit ? 200 : 404, { "content-type": "application/json" });
        response.end(isAudit ? JSON.stringify(found) : "{}");
      });
      const result = await check(makeClone(), registry);
      expect(result.code, result.said).toBe(code);
      expect(result.said).toMatch(code ? /grave known faults.*\n.* {2}ws .*: critical/s : /^$/);
    }
  },
  MINUTE,
);
