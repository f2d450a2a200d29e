import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSegmentWriter } from "./segment-writer.ts";
import { PARTIAL, segmentName } from "./segments.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "segments-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const startWriter = () => createSegmentWriter(folder, { timeline: 1, from: 0n }, async () => {});
const content = (length: number) =>
  readFileSync(join(folder, segmentName(1, 0n) + PARTIAL)).toString("latin1", 0, length);

/** The disk takes as many bytes per write as there is room for, as a nearly full one does. */
async function limitWrites(bytes: number): Promise<void> {
  const handle = await open(join(folder, "any"), "w");
  const type: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const write = type.write as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(type, "write").mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    const [data, at, length, offset] = args as [Buffer, number, number, number];
    return write.call(this, data, at, Math.min(length, bytes), offset) as never;
  });
}

test("only what the disk took counts as written", async () => {
  await limitWrites(3);
  const writer = startWriter();
  await writer.write(0n, Buffer.from("abcdefgh"));
  expect(await writer.flush()).toBe(8n);
  await writer.close();
  expect(content(9)).toBe("abcdefgh\0");
});

test("a segment that is opened again keeps what it holds", async () => {
  const before = startWriter();
  await before.write(0n, Buffer.from("confirmed"));
  await before.close();
  const writer = createSegmentWriter(folder, { timeline: 1, from: 3n }, async () => {});
  await writer.write(3n, Buffer.from("F"));
  await writer.close();
  expect(content(10)).toBe("conFirmed\0");
});

test("a segment that cannot be opened for the moment is neither created nor lost", async () => {
  const before = startWriter();
  await before.write(0n, Buffer.from("confirmed"));
  await before.close();
  const away = createSegmentWriter(folder, { timeline: 1, from: 9n }, () =>
    Promise.reject(new Error("away")),
  );
  await expect(away.write(9n, Buffer.from("d"))).rejects.toThrow("away");
  expect(content(10)).toBe("confirmed\0");
});
