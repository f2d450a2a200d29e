import { KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";

// The types of a worker's surroundings are not among those of a page's, and both cannot be known at once.

type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };

export type WorkerScope = {
  location: Location;
  caches: CacheStorage;
  clients: {
    claim(): Promise<void>;
    get(id: string): Promise<{ postMessage(message: WorkerMessage): void } | undefined>;
  };
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
};

/** What the worker tells a page of the data that it asked for: new, a copy and of when, or not there. */
export type WorkerMessage = { copy: "none" } | { copy: "missing" } | { copy: "kept"; date: string };

/** What the build tells the worker. */
export type BuildFacts = {
  /** The name of the router's list of files, which every document of this build names. */
  build: string;
  /** Files of the pages that are kept. */
  assets: readonly string[];
  /** Addresses of data that the router asks for on its way to a page. */
  data: readonly string[];
};

export const PAGES_PREFIX = `${KEPT_CACHES}pages-`;
export const ASSETS_CACHE = `${KEPT_CACHES}assets`;
export const PICTURES_CACHE = `${KEPT_CACHES}pictures`;
export const OFFLINE_PAGE = "/offline";
