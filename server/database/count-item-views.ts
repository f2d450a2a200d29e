import type { IncomingMessage } from "node:http";
import { Pool } from "pg";
import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";

const WRITE_EVERY_MS = 60_000;
const PAGES = "/fruits/";
const DATA = ".data";

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

export type ItemViews = {
  /** Counts a request whose answer is a page that everybody may keep, if it is of an item. */
  note(asked: Asked): void;
  /** Writes what was counted since the last time, too. */
  close(): Promise<void>;
};

/**
 * Counts how often items' pages are opened, in memory, and adds it to the day's totals each minute; of who opened them
 * nothing is looked at. Each process counts its own. What could not be written goes with the next batch.
 * @param url of the database's owner
 */
export function countItemViews(
  url: string,
  report: (line: Sentence) => void,
  writeEvery = WRITE_EVERY_MS,
): ItemViews {
  const pool = new Pool({
    connectionString: url,
    application_name: "item views",
    max: 1,
    idleTimeoutMillis: 10_000,
  });
  pool.on("error", () => {});
  // Of pages that there are, so it grows no further than the catalogue.
  let counts = new Map<string, number>();
  const add = (slug: string, views: number) => counts.set(slug, (counts.get(slug) ?? 0) + views);
  let isTold = false;

  async function write(): Promise<void> {
    const batch = counts;
    if (batch.size === 0) return;
    counts = new Map();
    try {
      await pool.query("select private.add_item_views($1, $2)", [[...batch.keys()], [...batch.values()]]);
      isTold = false;
    } catch (error) {
      for (const [slug, views] of batch) add(slug, views);
      // A database that is away for an hour is told once.
      if (!isTold)
        report(
          sentence`Views of items could not be counted (${quoteScrubbed((error as Error).message)}); it is tried again.`,
        );
      isTold = true;
    }
  }

  let writing = Promise.resolve();
  const writeInTurn = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void writeInTurn(), writeEvery).unref();
  return {
    note(asked) {
      const slug = openedItem(asked);
      if (slug !== null) add(slug, 1);
    },
    async close() {
      clearInterval(timer);
      await writeInTurn();
      await pool.end();
    },
  };
}

/**
 * The slug of the item whose page somebody opens by this request. A page that is open already reads its own data again
 * whenever the catalogue changes: that is no view.
 */
function openedItem({ method, url = "", headers }: Asked): string | null {
  if (method !== "GET" || !url.startsWith(PAGES)) return null;
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  if (!path.endsWith(DATA)) return path.slice(PAGES.length);
  const page = path.slice(0, -DATA.length);
  const { referer } = headers;
  if (referer && URL.canParse(referer) && new URL(referer).pathname === page) return null;
  return page.slice(PAGES.length);
}
