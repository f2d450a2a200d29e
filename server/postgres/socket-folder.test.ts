import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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
