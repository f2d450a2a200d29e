import { registerRoute } from "workbox-routing";
import { fillCaches, forgetEarlierPages } from "./fill-caches.ts";
import { type KeptKind, keptKind } from "./kept-kind.ts";
import { findCode, findOfflinePage, isLostData, refuseForeign, toDocument } from "./lost-page.ts";
import {
  createAssetStrategy,
  createDataStrategy,
  createPageStrategy,
  createPictureStrategy,
  createTell,
} from "./strategies.ts";
import { type BuildFacts, PAGES_PREFIX, type WorkerScope } from "./worker-scope.ts";

// Caches public pages on the device. Requests that `keptKind` does not name go to the network as if there were no
// worker; it only notices when one of its pages cannot be reached.

declare const BUILD_FACTS: BuildFacts;
declare const self: WorkerScope;

// Also the variable that Workbox looks for, left empty: `fillCaches` caches the files.
const facts = BUILD_FACTS;

self.addEventListener("install", (event) => {
  // At once: the next page is of the new build, and open pages lose nothing of the old one.
  event.waitUntil(fillCaches(facts, event).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetEarlierPages(facts.build).then(() => self.clients.claim()));
});

const tell = createTell(self);
const strategies = {
  page: createPageStrategy(facts, tell),
  data: createDataStrategy(facts, tell),
  asset: createAssetStrategy({ handlerDidError: async ({ request }) => findCode(request, facts) }),
  picture: createPictureStrategy(),
};

for (const kind of Object.keys(strategies) as KeptKind[]) {
  registerRoute(({ request }) => keptKind(request, self.location.origin) === kind, strategies[kind]);
}

/** Pages that are not cached: if they fail offline, the offline page is shown. */
registerRoute(
  ({ request }) =>
    request.mode === "navigate" &&
    request.method === "GET" &&
    keptKind(request, self.location.origin) === null,
  ({ request }) => fetch(request).catch(() => findOfflinePage(PAGES_PREFIX + facts.build)),
);
registerRoute(
  ({ request }) => isLostData(request, self.location.origin),
  async ({ request }) => {
    try {
      return refuseForeign("data", await fetch(request));
    } catch {
      return toDocument(request);
    }
  },
);
