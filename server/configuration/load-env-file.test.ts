import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { loadEnvFile } from "./load-env-file.ts";
import { describeFault } from "./start-error.ts";

const folder = mkdtempSync(join(tmpdir(), "env-file-"));
const path = join(folder, ".env");

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(path, { recursive: true, force: true });
});

function load(text: string, ...names: string[]) {
  for (const name of names) vi.stubEnv(name, undefined);
  writeFileSync(path, text);
  const said = loadEnvFile(path).map((sentence) => sentence.replace(path, ".env"));
  return { said, set: names.map((name) => process.env[name]) };
}

test("a file from an editor that begins it with a byte order mark sets its first line too", () => {
  expect(load("\ufeffENV_A=1\r\nENV_B=2\r\n", "ENV_A", "ENV_B")).toEqual({ said: [], set: ["1", "2"] });
});

test("the environment takes precedence", () => {
  vi.stubEnv("ENV_C", "theirs");
  writeFileSync(path, "ENV_C=mine");
  expect(loadEnvFile(path)).toEqual([]);
  expect(process.env.ENV_C).toBe("theirs");
});

test("comments, quotes over several lines and export are settings like any other", () => {
  const text = `# a comment\n\nexport ENV_D='one\ntwo'\n  ENV_E = "a # b" # c\n`;
  expect(load(text, "ENV_D", "ENV_E")).toEqual({ said: [], set: ["one\ntwo", "a # b"] });
});

test("a line that sets nothing is told by its number, without what it says", () => {
  const { said, set } = load('PORT 4000\nENV_F=1\nENV_G="secret\n', "ENV_F", "ENV_G");
  expect(said).toEqual([
    ".env, line 1 sets nothing: a setting is written NAME=value.",
    ".env, line 3 has a quote that is never closed.",
  ]);
  expect(set[0]).toBe("1");
});

test("no file is no fault; one that cannot be read is told in one sentence", () => {
  expect(loadEnvFile(path)).toEqual([]);
  mkdirSync(path);
  const fault = () => {
    try {
      loadEnvFile(path);
      return null;
    } catch (error) {
      return describeFault(error);
    }
  };
  expect(fault()).toBe(`${path} cannot be used: it is a folder and not a file.`);
});
