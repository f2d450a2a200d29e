import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { INPUTS } from "#scripts/build-site.mjs";
import { PARTS } from "#server/workers/read-release.ts";

const repository = resolve(import.meta.dirname, "../..");
const PROGRAM = "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs";
const READ = ["vite.config.ts", "react-router.config.ts", "scripts/offline", "scripts/compress-assets.mjs"];

test("whatever the build's own code imports is an input: a change of it builds the site again", () => {
  const args = [PROGRAM, "--output-type", "json", "--exclude", "node_modules", ...READ];
  const cruised = execFileSync(process.execPath, args, { cwd: repository, encoding: "utf8" });
  const files: string[] = JSON.parse(cruised).modules.map(({ source }: { source: string }) => source);
  // Without Node's own modules.
  const ours = files.filter((file) => existsSync(join(repository, file)));
  expect(ours).toContain("scripts/fonts/cut-fonts.ts");
  const isInput = (file: string) => INPUTS.some((input) => file === input || file.startsWith(`${input}/`));
  expect(ours.filter((file) => !isInput(file))).toEqual([]);
});

test("whatever an image contains is part of the release that its workers must be of", () => {
  const dockerfile = readFileSync(join(repository, "Dockerfile"), "utf8");
  const [, image = ""] = dockerfile.split(/^FROM debian/m);
  const copied = [...image.matchAll(/^COPY (?:--from=\S+ )?(.+) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" ").map((file) => file.replace("/app/", "")),
  );
  const standIns: Record<string, string> = { node_modules: "package-lock.json", build: "build/inputs" };
  expect(new Set(copied.map((file) => standIns[file] ?? file))).toEqual(new Set(PARTS));
});
