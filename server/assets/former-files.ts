import { createHash } from "node:crypto";
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

const ASSETS = new URL("../../build/client/assets", import.meta.url).pathname;
/** In the data folder, since a release in a folder of its own has only its own files. */
export const CLIENT_FILES = "client-files";
const NAME = /^[\da-f]{32}$/;
/** The one that runs, and those before it; of more nobody has a tab open. */
const MOST_RELEASES = 4;

/**
 * Keeps the files of this build beside those of the last ones, for pages that are open while the site is upgraded: each
 * build's in a folder that is there once it is whole.
 * @param assets the folder of files whose names carry a hash of their content
 */
export async function keepClientFiles(dataDir: string, assets = ASSETS): Promise<void> {
  if (!existsSync(assets)) return;
  const folder = join(dataDir, CLIENT_FILES);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name));
  const build = createHash("sha256").update(names.toSorted().join()).digest("hex").slice(0, 32);
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
  // What a killed start left goes too.
  const strangers = readdirSync(folder).filter((name) => !NAME.test(name));
  const old = listBuilds(folder).slice(MOST_RELEASES);
  for (const each of [...strangers.map((name) => join(folder, name)), ...old])
    rmSync(each, { recursive: true, force: true });
}

/** Gives how to read a file of a build that was kept; null for what none of them had. Looked for only where somebody asks. */
export function openFormerFiles(dataDir: string): (name: string) => Buffer | null {
  let places: Map<string, string> | null = null;
  return (name) => {
    places ??= findPlaces(join(dataDir, CLIENT_FILES));
    const file = places.get(name);
    return file && existsSync(file) ? readFileSync(file) : null;
  };
}

/** Where each file is; of the same name in several builds the newest. */
function findPlaces(folder: string): Map<string, string> {
  const builds = listBuilds(folder).toReversed();
  return new Map(builds.flatMap((build) => readdirSync(build).map((name) => [name, join(build, name)])));
}

/** The one that ran last comes first. */
function listBuilds(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => join(folder, name))
    .map((place) => ({ place, at: statSync(place).mtimeMs }))
    .toSorted((one, other) => other.at - one.at)
    .map(({ place }) => place);
}
