import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../");
/**
 * Everything a new worker would run or serve, and the schema it would expect. `build/inputs` stands for the build
 * output, and `package-lock.json` for the packages.
 */
export const PARTS = [
  "package.json",
  "package-lock.json",
  "build/inputs",
  "backend",
  "domain",
  "public",
  "server",
  "supabase",
];

/**
 * Hashes the installed release, to tell whether other files have been installed since, even under the same version
 * number. By content, since a checkout changes modification times.
 */
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
