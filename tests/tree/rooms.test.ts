import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const TOPS = ["app", "backend", "bench", "domain", "scripts", "server", "supabase"];
/** Folders that are lists by nature: one file per migration. */
const LISTS = new Set(["supabase/migrations"]);
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

/** Files and folders directly in each folder of the project's own, without tests. */
function entriesByFolder(): Map<string, Set<string>> {
  const files = execFileSync("git", ["ls-files", ...TOPS], { cwd: root, encoding: "utf8" }).split("\n");
  const folders = new Map<string, Set<string>>();
  for (const file of files.filter((name) => name !== "" && !/\.test\.\w+$/.test(name))) {
    const parts = file.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/");
      folders.set(folder, (folders.get(folder) ?? new Set()).add(parts[depth] as string));
    }
  }
  return folders;
}

test("no folder has more than 25 entries, so that each can be taken in at a glance", () => {
  const full = [...entriesByFolder()].filter(([folder, entries]) => entries.size > 25 && !LISTS.has(folder));
  expect(full.map(([folder, { size }]) => `${folder}: ${size}`)).toEqual([]);
});
