import type { PreparedContent } from "../http/prepared-content.ts";
import { type PageSubject, subjectOf } from "./page-subject.ts";
import { type Admit, TooBusyError } from "./render-queue.ts";

/** An answer as it was rendered: kept when it is `content`, handed on once when it is not. */
export type Rendered =
  | { kind: "content"; content: PreparedContent }
  | { kind: "once"; status: number; headers: [string, string][]; body: Buffer };

/** Renders the page of a key; rejects only for errors of our own. */
export type RenderPage = (key: string) => Promise<Rendered>;

type Entry = { content: PreparedContent; version: number; freshUntil: number; hits: number; used: boolean };

export type PageCacheOptions = {
  render: RenderPage;
  /** Says when a render may begin; at once where there is none. */
  admit?: Admit;
  /** Bytes kept at most; the longest unused go first. */
  maxBytes?: number;
  /** Called for a page that is asked for again, when there is time to compress it harder. */
  onPopular?: (content: PreparedContent) => void;
};

/**
 * Pages, each rendered once for each version of the data. A change makes all of its subject stale at once; a stale one is
 * rendered anew when it is next asked for, and serves on only while rendering fails or there is no room for it.
 */
export type PageCache = {
  /** The kept page when it is fresh: the hot path, without a promise. */
  find(key: string): PreparedContent | null;
  /** @throws TooBusyError where too much is asked for already; `asker` is the client's network. */
  get(key: string, asker: string): Promise<Rendered>;
  /**
   * The data changed: no page of the subject, or of any, that was rendered before this moment or is being rendered now
   * is fresh any more.
   */
  invalidate(subject?: PageSubject): void;
  /** Without news of changes a page is fresh for a second only. */
  setLive(live: boolean): void;
  bytes(): number;
};

const MAX_BYTES = 64 * 1024 * 1024;
const BLIND_FRESHNESS_MS = 1_000;
const RETRY_MS = 1_000;
const POPULAR_HITS = 3;
/** Asks for the pages that were kept before, whoever it is for: no flood of new addresses crowds those out. */
const THE_SITE = "";

/** A render that was asked for; it has no version before it began. */
type Pending = { version: number | null; rendered: Promise<Rendered> };

export function createPageCache({
  render,
  admit = (_, begin) => begin(),
  maxBytes = MAX_BYTES,
  onPopular,
}: PageCacheOptions): PageCache {
  const entries = new Map<string, Entry>();
  const pending = new Map<string, Pending>();
  const versions: Record<PageSubject, number> = { catalogue: 0, community: 0 };
  let live = false;
  let bytes = 0;

  const versionOf = (key: string) => versions[subjectOf(key)];

  function invalidate(subject?: PageSubject): void {
    for (const each of Object.keys(versions) as PageSubject[]) {
      if (!subject || subject === each) versions[each]++;
    }
  }

  function find(key: string): PreparedContent | null {
    const entry = entries.get(key);
    if (!entry || entry.version !== versionOf(key) || Date.now() >= entry.freshUntil) return null;
    entry.used = true;
    if (++entry.hits === POPULAR_HITS) onPopular?.(entry.content);
    return entry.content;
  }

  function get(key: string, asker: string): Promise<Rendered> {
    const content = find(key);
    if (content) return Promise.resolve({ kind: "content", content });
    const asked = pending.get(key);
    // What has not begun will show every change until then.
    if (asked && (asked.version === null || asked.version === versionOf(key))) return asked.rendered;
    const started = start(key, entries.has(key) ? THE_SITE : asker);
    pending.set(key, started);
    const forget = () => void (pending.get(key) === started && pending.delete(key));
    started.rendered.then(forget, forget);
    return started.rendered;
  }

  function start(key: string, asker: string): Pending {
    const started = { version: null } as Pending;
    const begin = () => {
      started.version = versionOf(key);
      return renderAndKeep(key, started.version);
    };
    started.rendered = admit(asker, begin).catch((error) => {
      const stale = error instanceof TooBusyError ? serveStale(key) : null;
      return stale ?? Promise.reject(error);
    });
    return started;
  }

  async function renderAndKeep(key: string, startedAt: number): Promise<Rendered> {
    const rendered = await render(key);
    if (rendered.kind === "content") keep(key, rendered.content, startedAt);
    else if (rendered.status < 500) drop(key);
    else return serveStale(key) ?? rendered;
    return rendered;
  }

  function keep(key: string, content: PreparedContent, startedAt: number): void {
    const newer = (entries.get(key)?.version ?? -1) > startedAt;
    if (newer) return;
    drop(key);
    const freshUntil = live ? nextMidnight() : Date.now() + BLIND_FRESHNESS_MS;
    const entry = { content, version: startedAt, freshUntil, hits: 0, used: false };
    entries.set(key, entry);
    bytes += sizeOf(entry);
    makeRoom();
  }

  /** The oldest go first, but one that was used since its last turn gets another: marking costs a hit nothing. */
  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (bytes <= maxBytes) return;
      drop(key);
      if (!entry.used) continue;
      entries.set(key, { ...entry, used: false });
      bytes += sizeOf(entry);
    }
  }

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry && entries.delete(key)) bytes -= sizeOf(entry);
  }

  /** The last good page, for a little while before the next try. */
  function serveStale(key: string): Rendered | null {
    const entry = entries.get(key);
    if (!entry) return null;
    entry.version = versionOf(key);
    entry.freshUntil = Date.now() + RETRY_MS;
    return { kind: "content", content: entry.content };
  }

  return {
    find,
    get,
    invalidate,
    setLive(isLive) {
      if (isLive !== live) invalidate();
      live = isLive;
    },
    bytes: () => bytes,
  };
}

/** Compressed copies are made later and are smaller; counting the plain bytes twice covers them. */
function sizeOf({ content }: Entry): number {
  return content.identity.length * 2;
}

/** Pages name the year and the age of a check in days: none outlives its day in UTC. */
function nextMidnight(): number {
  return new Date().setUTCHours(24, 0, 0, 0);
}
