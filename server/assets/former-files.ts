import { hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ASSETS = join(import.meta.dirname, "../../build/client/assets");
/** In the data folder, since each release's own folder has only its own files. */
export const CLIENT_FILES = "client-files";
const NAME = /^[\da-f]{32}$/;
/** This release and the ones before it; nobody has a tab open that is older. */
const MOST_RELEASES = 4;

/**
 * Keeps this build's files along with those of the previous ones, for pages that are open during an upgrade. Each
 * build's folder is renamed into place once complete.
 * @param assets the folder of files whose names carry a hash of their content
 */
export async function keepClientFiles(dataDir: string, assets = ASSETS): Promise<void> {
  if (!existsSync(assets)) return;
  const folder = join(dataDir, CLIENT_FILES);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name));
  const build = hash("sha256", names.toSorted().join()).slice(0, 32);
  const place = join(folder, build);
  if (!existsSync(place)) {
    const part = `${place}.new`;
    mkdirSync(part, { recursive: true });
    const keep = async (name: string) =>
      writeFile(join(part, name), await readFile(join(assets, name)), { flush: true });
    await Promise.all(names.map(keep));
    renameSync(part, place);
  }
  const now = new Date();
  utimesSync(place, now, now);
  // Also removes leftovers of a start that was killed.
  const strangers = readdirSync(folder).filter((name) => !NAME.test(name));
  const old = listBuilds(folder).slice(MOST_RELEASES);
  for (const each of [...strangers.map((name) => join(folder, name)), ...old])
    rmSync(each, { recursive: true, force: true });
}

/** Returns a function that reads a file of an earlier build, or null. The folders are listed at the first call. */
export function openFormerFiles(dataDir: string): (name: string) => Buffer | null {
  let places: Map<string, string> | null = null;
  return (name) => {
    places ??= findPlaces(join(dataDir, CLIENT_FILES));
    const file = places.get(name);
    return file && existsSync(file) ? readFileSync(file) : null;
  };
}

/** Maps names to paths; if several builds have a name, the newest one's. */
function findPlaces(folder: string): Map<string, string> {
  const builds = listBuilds(folder).toReversed();
  return new Map(builds.flatMap((build) => readdirSync(build).map((name) => [name, join(build, name)])));
}

/** Most recently run first. */
function listBuilds(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => join(folder, name))
    .map((place) => ({ place, at: statSync(place).mtimeMs }))
    .toSorted((one, other) => other.at - one.at)
    .map(({ place }) => place);
}
