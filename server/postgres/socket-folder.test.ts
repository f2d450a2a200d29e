import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeFault } from "../configuration/start-error.ts";
import { makeSocketFolder } from "./socket-folder.ts";

test("a start removes the socket's folder of the last one, and one from a copy of the data leaves it to the original", () => {
  const parent = mkdtempSync(join(tmpdir(), "sockets-"));
  const copy = `${parent}.copy`;
  const first = makeSocketFolder(parent, null);
  cpSync(parent, copy, { recursive: true });
  const ofCopy = makeSocketFolder(copy, null);
  expect([first, ofCopy].map((folder) => existsSync(folder))).toEqual([true, true]);
  const second = makeSocketFolder(parent, null);
  onTestFinished(() => {
    for (const folder of [parent, copy, ofCopy, second]) rmSync(folder, { recursive: true });
  });
  expect([first, second].map((folder) => existsSync(folder))).toEqual([false, true]);
});

test.each([
  [
    join(tmpdir(), "a".repeat(100)),
    /^TMPDIR is \S+, which is too long for the path of the database's socket: /,
  ],
  ["/nowhere", /^\/nowhere\/\S+ cannot be used: no folder can be made there\.$/],
])("a TMPDIR in which no socket can be is refused by one sentence: %s", (folder, sentence) => {
  const parent = mkdtempSync(join(tmpdir(), "sockets-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(parent, { recursive: true });
  });
  let fault: string | null = null;
  try {
    makeSocketFolder(parent, null);
  } catch (error) {
    fault = describeFault(error);
  }
  expect(fault).toMatch(sentence);
});
