import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

/** Runs a command in a clone without packages, with a stub npm that only records its arguments. */
function callsOfNpm(command: (clone: string) => string[]): string[] {
  const clone = mkdtempSync(join(tmpdir(), "clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  for (const name of [".ci", "scripts", "package.json", "package-lock.json"])
    cpSync(join(repository, name), join(clone, name), { recursive: true });
  const calls = join(clone, "calls");
  writeFileSync(join(clone, "npm"), `#!/bin/sh\necho "$*" >>"${calls}"\n`, { mode: 0o755 });
  const [program = "", ...args] = command(clone);
  const path = [clone, dirname(process.execPath), process.env.PATH].join(delimiter);
  execFileSync(program, args, { cwd: clone, env: { ...process.env, PATH: path }, stdio: "ignore" });
  return readFileSync(calls, "utf8").trim().split("\n");
}

test("CI runs the check, and then the tests", () => {
  expect(callsOfNpm((clone) => [join(clone, ".ci/run")])).toEqual(["run check", "test"]);
});

test("npm run check installs what is missing before it checks", () => {
  const script: string = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")).scripts.check;
  const [install, ...checks] = callsOfNpm(() => ["/bin/sh", "-c", script]);
  expect(install).toMatch(/^install /);
  expect(checks).toEqual(["run --silent check:all"]);
});
