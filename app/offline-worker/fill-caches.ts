import { PUBLIC_PAGES } from "#app/features/site/public-pages.ts";
import { type KeptKind, mayKeep } from "./kept-kind.ts";
import { createAssetStrategy, isOfBuild } from "./strategies.ts";
import {
  type BuildFacts,
  OFFLINE_PAGE,
  PAGES_PREFIX,
  PICTURES_CACHE,
  type WorkerEvent,
} from "./worker-scope.ts";

/** The most pages that are refetched because the previous build's worker had them. */
const MOST_TAKEN_OVER = 40;
/** One at a time, at low priority: the reader's requests come first. */
const LATER: RequestInit = { credentials: "omit", priority: "low" };

/** Caches what works offline from the first visit on; rejects if the files cannot be loaded. */
export async function fillCaches({ build, assets, data }: BuildFacts, event: WorkerEvent): Promise<void> {
  for (const file of assets) await keepFile(file, event);
  const pages = await caches.open(PAGES_PREFIX + build);
  const kept = PUBLIC_PAGES.filter(({ isKept }) => isKept).map(({ path }) => path);
  for (const path of new Set([OFFLINE_PAGE, ...kept, ...(await listEarlierPages(build))])) {
    await keepPage(pages, path, build);
  }
  for (const address of data) await keepIfGood("data", pages, address);
  await keepIfGood("picture", await caches.open(PICTURES_CACHE), "/favicon.svg");
}

/** By the strategy, which remembers when a file was used last: one that it does not know is never deleted. */
async function keepFile(file: string, event: WorkerEvent): Promise<void> {
  const [answer, kept] = createAssetStrategy().handleAll({ event, request: new Request(file, LATER) });
  if (!mayKeep("asset", await answer)) throw new TypeError(`${file} is not there`);
  await kept;
}

async function keepPage(pages: Cache, path: string, build: string): Promise<void> {
  const answer = await fetch(path, LATER).catch(() => null);
  if (answer && mayKeep("page", answer) && (await isOfBuild(answer, build))) await pages.put(path, answer);
}

async function keepIfGood(kind: KeptKind, cache: Cache, address: string): Promise<void> {
  const answer = await fetch(address, LATER).catch(() => null);
  if (answer && mayKeep(kind, answer)) await cache.put(address, answer);
}

/** The paths of pages cached by an earlier build's worker. */
async function listEarlierPages(build: string): Promise<string[]> {
  const names = await listEarlierCaches(build);
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const paths = requests.flat().map(({ url }) => new URL(url).pathname);
  return paths.filter((path) => !path.endsWith(".data")).slice(-MOST_TAKEN_OVER);
}

/** Deletes pages cached by earlier builds' workers. Files stay, since an open page may still need them. */
export async function forgetEarlierPages(build: string): Promise<void> {
  const names = await listEarlierCaches(build);
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function listEarlierCaches(build: string): Promise<string[]> {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(PAGES_PREFIX) && name !== PAGES_PREFIX + build);
}
