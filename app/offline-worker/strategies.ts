import { ExpirationPlugin } from "workbox-expiration";
import { CacheFirst, NetworkFirst } from "workbox-strategies";
import { type KeptKind, keptAddress, mayKeep, pageOfData } from "./kept-kind.ts";
import { answer, answerWith, findOfflinePage, refuseForeign, toDocument } from "./lost-page.ts";
import {
  ASSETS_CACHE,
  type BuildFacts,
  type Copy,
  PAGES_PREFIX,
  PICTURES_CACHE,
  type WorkerMessage,
  type WorkerScope,
} from "./worker-scope.ts";

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof NetworkFirst>[0]>["plugins"]>[number];
type Handled = Event & { clientId?: string; resultingClientId?: string; request?: Request };

/** How long a page may take before its copy is shown instead. */
const PATIENCE_SECONDS = 4;
/** Pages and their data; an item's page has some hundred kilobytes. */
const MOST_PAGES = 80;
const MOST_ASSETS = 200;
const MOST_PICTURES = 300;

/** What a network answers in the site's place is no answer, and is not cached. */
const keepsGood = (kind: KeptKind): Plugin => ({
  fetchDidSucceed: async ({ response }) => refuseForeign(kind, response),
  cacheWillUpdate: async ({ response }) => (mayKeep(kind, response) ? response : null),
});
const bounded = (maxEntries: number) => new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true });

/** Named by their content's hash, so that they never change. */
export const createAssetStrategy = (instead: Plugin = {}) =>
  new CacheFirst({ cacheName: ASSETS_CACHE, plugins: [keepsGood("asset"), bounded(MOST_ASSETS), instead] });

export const createPictureStrategy = () =>
  new CacheFirst({
    cacheName: PICTURES_CACHE,
    plugins: [
      keepsGood("picture"),
      new ExpirationPlugin({ maxEntries: MOST_PICTURES, maxAgeSeconds: 30 * 24 * 3600 }),
    ],
  });

const underPath: Plugin = { cacheKeyWillBeUsed: async ({ request }) => keptAddress(request.url) };

/**
 * Documents: from the network, else their copy with its date, else the page that says that there is none. A page that
 * is a copy learns when its document arrives after all.
 */
export function createPageStrategy({ build }: BuildFacts, tell: Tell): NetworkFirst {
  const cacheName = PAGES_PREFIX + build;
  const keep: Plugin = {
    async cacheWillUpdate({ event, response }) {
      const page = hasQuery(event) ? await fetchWithoutQuery(event, cacheName) : response;
      return page && mayKeep("page", page) && (await isOfBuild(page, build)) ? page : null;
    },
    async cachedResponseWillBeUsed({ event, cachedResponse }) {
      return cachedResponse ? toShownCopy(cachedResponse, hasQuery(event)) : null;
    },
    handlerDidError: async () => findOfflinePage(cacheName),
  };
  const inform: Plugin = {
    async fetchDidSucceed({ response, event, state }) {
      // Without a copy, the page that this is for does not exist yet.
      if (state && "shown" in state) await tellOfLate("page", tell, event, response, state.shown);
      return response;
    },
    async cachedResponseWillBeUsed({ cachedResponse, state }) {
      if (state && cachedResponse) state.shown = cachedResponse.headers.get("etag");
      return cachedResponse;
    },
  };
  return new NetworkFirst({
    cacheName,
    networkTimeoutSeconds: PATIENCE_SECONDS,
    plugins: [underPath, inform, keep, bounded(MOST_PAGES)],
  });
}

/** Tells a page what came of its request. */
type Tell = (event: Handled, copy: Copy) => Promise<void>;

export function createTell(scope: WorkerScope): Tell {
  // A page listens only once it is idle, and then asks what it missed.
  const told = new Map<string, WorkerMessage>();
  scope.addEventListener("message", ({ source }) => {
    const message = source && told.get(source.id);
    if (message) source.postMessage(message);
  });
  return async ({ clientId, resultingClientId, request }, copy) => {
    const id = resultingClientId || clientId;
    const page = id ? await scope.clients.get(id) : undefined;
    const { pathname } = new URL(request?.url ?? "");
    const message = { path: request?.mode === "navigate" ? pathname : pageOfData(pathname), ...copy };
    if (page) told.set(page.id, message);
    page?.postMessage(message);
  };
}

/** After a copy was shown, by its entity tag: only the same response is what the page shows. */
async function tellOfLate(
  kind: KeptKind,
  tell: Tell,
  event: Handled,
  response: Response,
  shown: string | null,
) {
  if (shown === response.headers.get("etag")) await tell(event, { copy: "none" });
  else if (mayKeep(kind, response)) await tell(event, { copy: "late" });
}

/** The data that the router loads for navigations; the page learns whether it is fresh. */
export function createDataStrategy({ build }: BuildFacts, tell: Tell): NetworkFirst {
  const inform: Plugin = {
    async fetchDidSucceed({ response, event, state }) {
      await tellOfLate("data", tell, event, response, state?.shown ?? response.headers.get("etag"));
      return response;
    },
    async cachedResponseWillBeUsed({ cachedResponse, event, state }) {
      if (state && cachedResponse) state.shown = cachedResponse.headers.get("etag");
      const date = cachedResponse?.headers.get("date");
      if (date) await tell(event, { copy: "kept", date: new Date(date).toISOString() });
      return cachedResponse;
    },
    handlerDidError: async ({ request }) => toDocument(request),
  };
  return new NetworkFirst({
    cacheName: PAGES_PREFIX + build,
    networkTimeoutSeconds: PATIENCE_SECONDS,
    plugins: [underPath, keepsGood("data"), inform, bounded(MOST_PAGES)],
  });
}

/** The page without its query, for one that was only opened with a query; null if it is cached. */
async function fetchWithoutQuery({ request }: Handled, cacheName: string): Promise<Response | null> {
  const address = keptAddress(request?.url ?? "");
  if (await (await caches.open(cacheName)).match(address)) return null;
  return fetch(address, { credentials: "omit", priority: "low" }).catch(() => null);
}

/** Checks the requested address, not the cache key, which the library's own requests use. */
function hasQuery(event: Handled): boolean {
  return new URL(event.request?.url ?? "").search !== "";
}

/** Whether all files that a document needs are of this build, and thus cached with it. */
export async function isOfBuild(document: Response, build: string): Promise<boolean> {
  return (await document.clone().text()).includes(`/assets/${build}`);
}

/** Where the page finds the requested query and fragment; see `useAskedQuery`. */
const REPLAY =
  "window.askedFor=location.search+location.hash;history.replaceState(history.state,'',location.pathname)";

/**
 * Prepares a cached document for display: it states its age, so that the page can show it. Documents are cached without
 * query; a requested query is set aside until hydration, since the page was rendered without it.
 */
async function toShownCopy(kept: Response, hasQuery: boolean): Promise<Response> {
  const date = new Date(kept.headers.get("date") ?? Date.now()).toISOString();
  const html = (await kept.text()).replace("<html ", `<html data-kept="${date}" `);
  return hasQuery ? answerWith(REPLAY, html, kept.headers) : answer(html, kept.headers);
}
