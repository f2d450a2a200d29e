import { KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";

// TypeScript cannot load the worker's and the page's global types at once.

export type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };

export type WorkerScope = {
  location: Location;
  caches: CacheStorage;
  clients: {
    claim(): Promise<void>;
    get(id: string): Promise<Page | undefined>;
  };
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "message", listener: (event: { source: Page | null }) => void): void;
};

type Page = { id: string; postMessage(message: WorkerMessage): void };

/**
 * The worker's message to a page about what was requested for the page at a path: fresh, or a copy and its date;
 * `late` if something else arrived after the copy was shown.
 */
export type WorkerMessage = Copy & { path: string };
export type Copy = { copy: "none" | "late" } | { copy: "kept"; date: string };

/** What the build passes to the worker. */
export type BuildFacts = {
  /** The name of the router's manifest, which every document of this build references. */
  build: string;
  /** The files of cached pages. */
  assets: readonly string[];
  /** The addresses of data that the router requests for navigations. */
  data: readonly string[];
  /** The modules of all routes, each of which the router loads when its page is first opened. */
  routes: readonly string[];
};

export const PAGES_PREFIX = `${KEPT_CACHES}pages-`;
export const ASSETS_CACHE = `${KEPT_CACHES}assets`;
export const PICTURES_CACHE = `${KEPT_CACHES}pictures`;
export const OFFLINE_PAGE = "/offline";
