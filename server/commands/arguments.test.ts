import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const DATABASE = "postgres://user:password@host/database, with %23 for # and %2F for / in the password";
const ADMIN =
  "Usage: npm run admin -- somebody@example.org [--role editor|moderator] [--existing] [--remove]";
const DATA_DIR = join(tmpdir(), crypto.randomUUID());

test.each([
  ["print-keys", ["rotat"], "Usage: npm run keys, or npm run keys -- rotate"],
  ["make-admin", ["a@b.org", "c@d.org"], "One address at a time: npm run admin -- somebody@example.org"],
  ["make-admin", ["nobody"], ADMIN],
  ["make-admin", ["a@b.org", "--role", "owner"], "There is no role owner: --role admin, editor, moderator."],
  ["make-admin", ["a@b.org", "--rule"], ADMIN],
  ["make-admin", ["--help"], ADMIN],
  ["back-up", ["--help"], "Usage: npm run backup -- FOLDER"],
  [
    "back-up",
    ["s3://bucket/place"],
    "npm run backup writes to a folder; BACKUP_TO is what may be an address in S3.",
  ],
  ["restore", ["--help"], "Usage: npm run restore -- FOLDER"],
  ["back-up", ["/my", "disk"], "One folder, in quotes if its name has spaces: npm run backup -- FOLDER"],
  ["restore", ["/my", "disk"], "One folder, in quotes if its name has spaces: npm run restore -- FOLDER"],
  ["restore", ["s3://"], "A backup in S3 is named as s3://bucket/place/NAME."],
  ["load-words", ["postgres://me:pa#ss@host/site"], `Usage: npm run words -- ${DATABASE}`],
  ["open-factors", ["postgres://host:port/site"], `Usage: npm run factors -- ${DATABASE}`],
])("%s refuses %j before it does anything", async (name, args, sentence) => {
  await expect(run(name, args)).rejects.toMatchObject({ code: 1, stderr: `${sentence}\n`, stdout: "" });
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("print-keys makes no keys for a folder into which a restore was interrupted", async () => {
  mkdirSync(DATA_DIR);
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  writeFileSync(join(DATA_DIR, "restore-unfinished"), "");
  await expect(run("print-keys", [])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A backup was not restored to its end in .*\n$/),
  });
  expect(readdirSync(DATA_DIR)).toEqual(["restore-unfinished"]);
});

function run(name: string, args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return promisify(execFile)(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR },
  });
}
