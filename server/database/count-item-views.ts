import type { IncomingMessage } from "node:http";
import { splitAddress } from "#backend/http/split-address.ts";
import type { Log } from "#backend/log/log.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";
import { runRegularly } from "./run-regularly.ts";

const WRITE_EVERY_MS = 60_000;
const PAGES = "/fruits/";
const DATA = ".data";

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

export type ItemViews = {
  /** Counts a request for an item's page, if its response is publicly cacheable. */
  note(asked: Asked): void;
  /** Writes the remaining counts first. */
  close(): Promise<void>;
};

/**
 * Counts views of item pages in memory and adds them to the day's totals each minute, without looking at who the
 * visitors are. Each process keeps its own counts. Counts that could not be written go with the next batch.
 * @param url of the database's owner
 */
export function countItemViews(url: string, report: Log, every = WRITE_EVERY_MS): ItemViews {
  // Only existing pages are counted, so the map is bounded by the catalogue.
  let counts = new Map<string, number>();
  const add = (slug: string, views: number) => counts.set(slug, (counts.get(slug) ?? 0) + views);
  const onFailure = (why: LogText) =>
    report(logText`Views of items could not be counted (${why}); retrying.`, "warn");
  const options = { url, applicationName: "item views", idleTime: 10, every, onFailure };
  const writes = runRegularly(options, async (query) => {
    const batch = counts;
    if (batch.size === 0) return;
    counts = new Map();
    try {
      await query("select private.add_item_views($1, $2)", [
        arrayLiteral([...batch.keys()]),
        arrayLiteral([...batch.values()].map(String)),
      ]);
    } catch (error) {
      for (const [slug, views] of batch) add(slug, views);
      throw error;
    }
  });
  return {
    note(asked) {
      const slug = openedItem(asked);
      if (slug !== null) add(slug, 1);
    },
    async close() {
      await writes.next();
      await writes.stop();
    },
  };
}

/**
 * The slug of the item whose page this request opens. An open page that reloads its data after a catalogue change does
 * not count as a view.
 */
function openedItem({ method, url = "", headers }: Asked): string | null {
  if (method !== "GET" || !url.startsWith(PAGES)) return null;
  const { path } = splitAddress(url);
  if (!path.endsWith(DATA)) return path.slice(PAGES.length);
  const page = path.slice(0, -DATA.length);
  const { referer } = headers;
  if (referer && URL.canParse(referer) && new URL(referer).pathname === page) return null;
  return page.slice(PAGES.length);
}
