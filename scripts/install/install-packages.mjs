import { existsSync, readdirSync, readFileSync } from "node:fs";
import { showProgress } from "../console-progress.mjs";
import { pinnedNode, root, runQuietly } from "../run-command.mjs";

/** Installs the packages if some are missing or differ from package-lock.json. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const wanted = Object.keys(readLock("package-lock.json") ?? {}).filter(
    (path) => !path.includes("/node_modules/"),
  ).length;
  // Not `npm ci`, which first removes all that is installed. This follows the lock as well.
  const install = () =>
    runQuietly("npm", ["install", "--no-save", "--include=dev", "--loglevel=error"], { NODE_ENV: "" });
  await showProgress("Installing packages", () => `${countInstalled()} of at most ${wanted}`, install);
}

/** Compares npm's own record of node_modules with the lock, which detects any change. */
function isInstalled() {
  if (!existsSync(pinnedNode)) return false;
  const wanted = readLock("package-lock.json");
  const found = readLock("node_modules/.package-lock.json");
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    return found[path]
      ? found[path].version === entry.version
      : entry.optional === true || entry.devOptional === true;
  });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(root + file, "utf8")).packages;
  } catch {
    return null;
  }
}

function countInstalled() {
  const folder = `${root}node_modules`;
  if (!existsSync(folder)) return 0;
  const names = (path) => readdirSync(path).filter((name) => !name.startsWith("."));
  return names(folder).reduce(
    (sum, name) => sum + (name.startsWith("@") ? names(`${folder}/${name}`).length : 1),
    0,
  );
}
