import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url).pathname;
/** What a new worker would run, and the database that it would expect. `build/inputs` stands for all that was built. */
const PARTS = [
  "package.json",
  "package-lock.json",
  "build/inputs",
  "backend",
  "domain",
  "server",
  "supabase/migrations",
];

/** Tells the installed files from others, also of the same number: by content, since a checkout gives each a new time. */
export function readRelease(): string {
  const hash = createHash("sha256");
  for (const path of PARTS.flatMap((part) => listFiles(`${ROOT}${part}`)))
    hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .toSorted();
}
