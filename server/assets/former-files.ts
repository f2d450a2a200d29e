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
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const ASSETS = new URL("../../build/client/assets", import.meta.url).pathname;
/** In the data folder, since a release in a folder of its own has only its own files. */
const FOLDER = "client-files";
const NAME = /^[\da-f]{32}\.json$/;
/** The one that runs, and those before it; of more nobody has a tab open. */
const MOST_RELEASES = 4;

/** Files of one build by their name, in base64. */
const Kept = v.record(v.pipe(v.string(), v.regex(/^[\w.-]+$/)), v.string());

/**
 * Keeps the files of this build beside those of the last ones, for pages that are open while the site is upgraded: each
 * build's in one file, so that none is there by halves.
 * @param assets the folder of files whose names carry a hash of their content
 */
export function keepClientFiles(dataDir: string, assets = ASSETS): void {
  if (!existsSync(assets)) return;
  const folder = join(dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name));
  const build = createHash("sha256").update(names.toSorted().join()).digest("hex").slice(0, 32);
  const file = join(folder, `${build}.json`);
  const now = new Date();
  if (existsSync(file)) utimesSync(file, now, now);
  else {
    const files = names.map((name) => [name, readFileSync(join(assets, name), "base64")]);
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(files)), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  for (const old of listBuilds(folder).slice(MOST_RELEASES)) rmSync(old, { force: true });
}

/** Gives how to read a file of a build that was kept; null for what none of them had. Looked for only where somebody asks. */
export function openFormerFiles(dataDir: string): (name: string) => Buffer | null {
  let places: Map<string, string> | null = null;
  return (name) => {
    places ??= findPlaces(join(dataDir, FOLDER));
    const build = places.get(name);
    const content = build && readBuild(build)[name];
    return content ? Buffer.from(content, "base64") : null;
  };
}

/** In which build's file each file is. */
function findPlaces(folder: string): Map<string, string> {
  return new Map(
    listBuilds(folder)
      .toReversed()
      .flatMap((build) => Object.keys(readBuild(build)).map((name) => [name, build])),
  );
}

/** The one that ran last comes first. */
function listBuilds(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .map((name) => join(folder, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .toSorted((one, other) => other.at - one.at)
    .map(({ file }) => file);
}

/** Nothing where it was removed meanwhile, or somebody broke it. */
function readBuild(file: string): Record<string, string> {
  try {
    const parsed = v.safeParse(Kept, JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}
