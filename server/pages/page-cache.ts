import { createByteCache } from "#backend/memory/byte-cache.ts";
import type { PreparedContent } from "../http/prepared-content.ts";
import { type PageSubject, subjectOf } from "./page-subject.ts";
import { type Admit, TooBusyError } from "./render-queue.ts";

/** A rendered response: `content` is cached, briefly if some of its reads `failed`; `once` is sent once. */
export type Rendered =
  | { kind: "content"; content: PreparedContent; failed?: boolean }
  | { kind: "once"; status: number; headers: [string, string][]; body: Buffer };

/** Renders the page of a key; rejects only for internal errors. */
type RenderPage = (key: string) => Promise<Rendered>;

/** `day` is by the system clock, `freshUntil` by `performance.now()`. */
type Entry = { content: PreparedContent; version: number; day: number; freshUntil: number; hits: number };

export type PageCacheOptions = {
  render: RenderPage;
  /** Decides when a render may begin; without it, at once. */
  admit?: Admit;
  /** Size limit in bytes; least recently used pages are evicted first. */
  maxBytes?: number;
  /** Called when a page turns out to be popular, so that it can be compressed harder. */
  onPopular?: (content: PreparedContent) => void;
};

/**
 * A cache of rendered pages: each is rendered once per version of the data. A change makes all pages of its subject
 * stale; a stale page is rendered again at its next request, and served stale only while rendering fails or the queue
 * is full.
 */
export type PageCache = {
  /** The cached page if it is fresh: the hot path, without a promise. */
  find(key: string): PreparedContent | null;
  /** @throws TooBusyError if the render queue is full; `network` is the client's. */
  get(key: string, network: string): Promise<Rendered>;
  /**
   * Marks stale all pages of the subject (without one, all pages), including those being rendered right now.
   */
  invalidate(subject?: PageSubject): void;
  /** Without change notifications, a page stays fresh for only a second. */
  setLive(live: boolean): void;
  use(): PageCacheUse;
};

/** The cache's size, and its hits and renders since the start. */
export type PageCacheUse = { bytes: number; maxBytes: number; found: number; rendered: number };

const MAX_BYTES = 24 * 1024 * 1024;
const BLIND_FRESHNESS_MS = 1_000;
const RETRY_MS = 1_000;
const POPULAR_HITS = 3;
/**
 * Pages cached before render under this key instead of the client's, so a flood of new addresses cannot crowd them out.
 */
const THE_SITE = "";

/** A requested render; its version is null until it begins. */
type Pending = { version: number | null; rendered: Promise<Rendered> };

export function createPageCache({
  render,
  admit = (_, begin) => begin(),
  ...options
}: PageCacheOptions): PageCache {
  const pages = createKeptPages(options);
  const pending = new Map<string, Pending>();
  let rendered = 0;

  function get(key: string, network: string): Promise<Rendered> {
    const content = pages.find(key);
    if (content) return Promise.resolve({ kind: "content", content });
    const requested = pending.get(key);
    // A render that has not begun yet will include all changes until it does.
    if (requested && (requested.version === null || requested.version === pages.versionOf(key))) {
      return requested.rendered;
    }
    const started = start(key, pages.has(key) ? THE_SITE : network);
    pending.set(key, started);
    const forget = () => void (pending.get(key) === started && pending.delete(key));
    started.rendered.then(forget, forget);
    return started.rendered;
  }

  function start(key: string, network: string): Pending {
    const started = { version: null } as Pending;
    const begin = () => {
      started.version = pages.versionOf(key);
      return renderAndKeep(key, started.version);
    };
    started.rendered = admit(network, begin).catch((error) => {
      const stale = error instanceof TooBusyError ? pages.serveStale(key) : null;
      return stale ?? Promise.reject(error);
    });
    return started;
  }

  async function renderAndKeep(key: string, startedAt: number): Promise<Rendered> {
    rendered++;
    const made = await render(key);
    if (made.kind === "content") pages.keep(key, made, startedAt);
    else if (made.status < 500) pages.drop(key);
    else return pages.serveStale(key) ?? made;
    return made;
  }

  const { find, invalidate, setLive } = pages;
  const use = () => ({ ...pages.use(), rendered });
  return { find, get, invalidate, setLive, use };
}

/** The pages in memory, and whether they are still fresh. */
function createKeptPages({
  maxBytes = MAX_BYTES,
  onPopular,
}: Pick<PageCacheOptions, "maxBytes" | "onPopular">) {
  const entries = createByteCache<Entry>({ maxBytes, sizeOf });
  const versions: Record<PageSubject, number> = { catalogue: 0, community: 0 };
  let live = false;
  let found = 0;

  const versionOf = (key: string) => versions[subjectOf(key)];

  function invalidate(subject?: PageSubject): void {
    for (const each of Object.keys(versions) as PageSubject[]) {
      if (!subject || subject === each) versions[each]++;
    }
  }

  function find(key: string): PreparedContent | null {
    const entry = entries.get(key);
    if (!entry || entry.version !== versionOf(key) || !isFresh(entry)) return null;
    found++;
    if (++entry.hits === POPULAR_HITS) onPopular?.(entry.content);
    return entry.content;
  }

  function keep(key: string, { content, failed }: Rendered & { kind: "content" }, startedAt: number): void {
    const newer = (entries.peek(key)?.version ?? -1) > startedAt;
    if (newer) return;
    // Nothing tells when what failed can be read again.
    const freshUntil = live && !failed ? Number.POSITIVE_INFINITY : performance.now() + BLIND_FRESHNESS_MS;
    entries.set(key, { content, version: startedAt, day: today(), freshUntil, hits: 0 });
  }

  /** Serves the last good page a little longer, before the next attempt. */
  function serveStale(key: string): Rendered | null {
    const entry = entries.get(key);
    if (!entry) return null;
    entry.version = versionOf(key);
    entry.day = today();
    entry.freshUntil = performance.now() + RETRY_MS;
    return { kind: "content", content: entry.content };
  }

  function setLive(isLive: boolean): void {
    if (isLive !== live) invalidate();
    live = isLive;
  }

  const use = () => ({ bytes: entries.calculatedSize, maxBytes, found });
  const has = (key: string) => entries.peek(key) !== undefined;
  const drop = (key: string) => entries.delete(key);
  return { versionOf, invalidate, find, keep, serveStale, setLive, has, drop, use };
}

/** Compressed copies are added later and are smaller; counting the plain bytes twice covers them. */
function sizeOf({ content }: Entry): number {
  return content.identity.length * 2;
}

/** Pages show the year and a check's age in days, so none stays fresh past midnight UTC. */
const isFresh = ({ day, freshUntil }: Entry) => day === today() && performance.now() < freshUntil;

const today = () => Math.floor(Date.now() / 86_400_000);
