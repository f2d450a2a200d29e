import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const IMPORT = /(?:from|import)\s*\(?\s*"([.#][^"]+)"/g;

function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
}

/**
 * The folders at which two files' paths diverge, such as `backend/rest/plan` and `backend/rest/sql`; null for a folder
 * and its own files.
 */
function roomsOf(from: string, to: string): [string, string] | null {
  const [one, other] = [dirname(from).split(sep), dirname(to).split(sep)];
  const shared = one.findIndex((name, index) => name !== other[index]);
  if (shared === -1 || other[shared] === undefined) return null;
  return [one.slice(0, shared + 1).join("/"), other.slice(0, shared + 1).join("/")];
}

test.each(["app", "backend", "domain", "server"])("no two sibling folders in %s import each other", (top) => {
  const arrows = new Map<string, string>();
  for (const file of sourcesOf(top)) {
    for (const [, target = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const to = target.startsWith("#")
        ? target.slice(1)
        : relative(root, resolve(root, dirname(file), target));
      const rooms = roomsOf(file, to);
      if (rooms) arrows.set(rooms.join(" → "), `${file} imports ${to}`);
    }
  }
  expect(arrows.size).toBeGreaterThan(0);
  const back = [...arrows.keys()].filter((arrow) => arrows.has(arrow.split(" → ").reverse().join(" → ")));
  expect(back.map((arrow) => arrows.get(arrow))).toEqual([]);
});
