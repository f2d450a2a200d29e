import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createHashThreads } from "./hash-threads.ts";

const IMPORTED = "$2b$04$eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

test("passwords are hashed and compared, also after a malformed hash", async () => {
  const { hash, verify } = createHashThreads();
  const [stored, other] = await Promise.all([hash("plum"), hash("plum")]);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(stored);
  expect(await verify("plum", stored)).toBe(true);
  expect(await verify("pear", stored)).toBe(false);
  await expect(verify("plum", "no hash")).rejects.toThrow();
  expect(await verify("plum", IMPORTED)).toBe(false);
  expect(await verify("plum", other)).toBe(true);
});

test.runIf(process.platform === "linux")("hashing threads yield to the rest of the process", async () => {
  await createHashThreads().hash("plum");
  const own = nicenessOf(process.pid);
  const all = readdirSync("/proc/self/task").map(nicenessOf);
  expect(all).toContain(Math.min(19, own + 10));
  expect(nicenessOf(process.pid)).toBe(own);
});

/** The nineteenth field of a thread's `stat` in proc(5). */
function nicenessOf(thread: number | string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
}
