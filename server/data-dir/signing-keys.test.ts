import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadKeys } from "./load-keys.ts";
import { loadSealingKeys } from "./sealing-keys.ts";
import { loadSigningKeys, rotateSigningKeys, startSigningKeys } from "./signing-keys.ts";
import { writeSecret } from "./write-secret.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Backdates the keys by this many seconds. */
function age(seconds: number) {
  const file = join(folder, "signing-keys.json");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(
      /"since": (\d+)/g,
      (_, since) => `"since": ${Number(since) - seconds}`,
    ),
  );
}
const describe = async () => (await loadSigningKeys(folder)).map(({ kid, key_ops }) => [kid, key_ops?.[0]]);

test("one key signs and the next one is known already; both are kept, for their owner alone", async () => {
  const keys = await loadSigningKeys(folder);
  expect(keys.map(({ alg, key_ops }) => [alg, key_ops])).toEqual([
    ["ES256", ["sign"]],
    ["ES256", ["verify"]],
  ]);
  expect(await loadSigningKeys(folder)).toEqual(keys);
  expect(statSync(join(folder, "signing-keys.json")).mode & 0o777).toBe(0o600);
});

test("a secret stands in its file whole, for its owner alone, and is never written over", () => {
  const file = join(folder, "jwt-secret");
  writeSecret(folder, "jwt-secret", "first", { replace: false });
  writeSecret(folder, "jwt-secret", "second", { replace: false });
  expect(readFileSync(file, "utf8")).toBe("first");
  writeSecret(folder, "jwt-secret", "third", { replace: true });
  expect(readFileSync(file, "utf8")).toBe("third");
  expect([readdirSync(folder), statSync(file).mode & 0o777]).toEqual([["jwt-secret"], 0o600]);
});

test("a secret that was cut short stops the start, by the name of its file", async () => {
  const { jwtSecret } = await loadKeys(folder);
  expect(jwtSecret).toHaveLength(64);
  writeFileSync(join(folder, "jwt-secret"), "");
  await expect(loadKeys(folder)).rejects.toThrow(
    /jwt-secret has fewer than 32 characters: .*, or write a new one/,
  );
});

test("the keys that seal stay when the tokens' secret changes, and another folder's processes agree by the setting", async () => {
  const { jwtSecret } = await loadKeys(folder);
  const first = loadSealingKeys({ dataDir: folder }, jwtSecret);
  expect(first).toEqual([expect.stringMatching(/^.{64}$/), jwtSecret]);
  expect(statSync(join(folder, "sealing-keys")).mode & 0o777).toBe(0o600);
  const own = "a secret of the operator's own, long enough";
  expect(loadSealingKeys({ dataDir: folder, jwtSecret: own }, own)).toEqual(first);
  const chosen = { dataDir: folder, jwtSecret: own, sealingKeys: ["chosen"] };
  expect(loadSealingKeys(chosen, own)).toEqual(["chosen", ...first]);
  const elsewhere = { dataDir: join(folder, "none"), databaseUrl: "postgres://db", jwtSecret: own };
  expect(loadSealingKeys(elsewhere, own)).toEqual([]);
  writeFileSync(join(folder, "sealing-keys"), "");
  expect(() => loadSealingKeys({ dataDir: folder }, jwtSecret)).toThrow(/sealing-keys holds a key of fewer/);
});

test("sealing keys that were lost beside their database are told when new ones are made", () => {
  const lines: string[] = [];
  const load = () => loadSealingKeys({ dataDir: folder }, "t".repeat(32), (line) => lines.push(line));
  load();
  mkdirSync(join(folder, "postgres"));
  load();
  expect(lines).toEqual([]);
  rmSync(join(folder, "sealing-keys"));
  load();
  load();
  expect(lines).toEqual([
    expect.stringMatching(
      /^sealing-keys was not there .* lines of a backup's sealing-keys are added to it\.$/,
    ),
  ]);
});

test("a key that not everyone can know yet does not sign", async () => {
  const before = await loadSigningKeys(folder);
  startSigningKeys(folder, await loadSigningKeys(folder));
  expect(await rotateSigningKeys(folder, 3600)).toEqual({ notBefore: expect.any(Date) });
  expect(await loadSigningKeys(folder)).toEqual(before);
});

test("keys count from the start of the site that takes them up, not from their rotation", async () => {
  const [first] = await loadSigningKeys(folder);
  age(1300);
  expect(await rotateSigningKeys(folder, 3600), "no site has published one").toEqual({ notBefore: null });
  startSigningKeys(folder, await loadSigningKeys(folder));
  age(1300);
  await rotateSigningKeys(folder, 3600);
  age(7200);
  expect(await rotateSigningKeys(folder, 3600), "the running site has the former").toEqual({
    notBefore: null,
  });
  startSigningKeys(folder, await loadSigningKeys(folder));
  expect(await rotateSigningKeys(folder, 3600)).toEqual({ notBefore: expect.any(Date) });
  age(1300);
  await rotateSigningKeys(folder, 3600);
  expect(
    (await describe()).map(([kid]) => kid),
    "tokens of the first are still valid",
  ).toContain(first?.kid);
});

test("the next key signs, the old one still verifies, and goes when its last token is over", async () => {
  const [first, second] = await loadSigningKeys(folder);
  startSigningKeys(folder, await loadSigningKeys(folder));
  age(1300);
  expect(await rotateSigningKeys(folder, 3600)).toEqual({ signs: second?.kid });
  const [signing, next, old] = await describe();
  expect([signing, old]).toEqual([
    [second?.kid, "sign"],
    [first?.kid, "verify"],
  ]);
  startSigningKeys(folder, await loadSigningKeys(folder));
  age(1300);
  await rotateSigningKeys(folder, 3600);
  expect((await describe()).map(([kid]) => kid)).toEqual([
    next?.[0],
    expect.any(String),
    second?.kid,
    first?.kid,
  ]);
  startSigningKeys(folder, await loadSigningKeys(folder));
  age(3700);
  await rotateSigningKeys(folder, 3600);
  expect((await describe()).map(([kid]) => kid)).not.toContain(first?.kid);
});
