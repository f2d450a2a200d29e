import { registerRoute } from "workbox-routing";
import { fillCaches, forgetEarlierPages } from "./fill-caches.ts";
import { type KeptKind, keptKind } from "./kept-kind.ts";
import {
  createAssetStrategy,
  createDataStrategy,
  createPageStrategy,
  createPictureStrategy,
  findOfflinePage,
} from "./strategies.ts";
import { type BuildFacts, PAGES_PREFIX, type WorkerScope } from "./worker-scope.ts";

// Keeps a copy of the public pages on the device. Whatever `keptKind` does not name goes to the network as if there were
// no worker; it is only told when a page of it cannot be reached.

declare const BUILD_FACTS: BuildFacts;
declare const self: WorkerScope;

// Also what workbox wants to find, and nothing is in it: files are kept by `fillCaches`.
const facts = BUILD_FACTS;

self.addEventListener("install", (event) => {
  // At once: the next page is of the new build already, and nothing of the old one is taken from under an open page.
  event.waitUntil(fillCaches(facts).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetEarlierPages(facts.build).then(() => self.clients.claim()));
});

const strategies = {
  page: createPageStrategy(facts),
  data: createDataStrategy(facts, self),
  asset: createAssetStrategy(),
  picture: createPictureStrategy(),
};

for (const kind of Object.keys(strategies) as KeptKind[]) {
  registerRoute(({ request }) => keptKind(request, self.location.origin) === kind, strategies[kind]);
}

/** Pages of which no copy is kept: what is seen without a connection says so. */
registerRoute(
  ({ request }) =>
    request.mode === "navigate" &&
    request.method === "GET" &&
    keptKind(request, self.location.origin) === null,
  ({ request }) => fetch(request).catch(() => findOfflinePage(PAGES_PREFIX + facts.build)),
);
