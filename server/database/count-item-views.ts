import type { IncomingMessage } from "node:http";
import { splitAddress } from "#backend/http/split-address.ts";
import { type Sentence, sentence } from "#backend/log/sentence.ts";
import { arrayLiteral } from "#backend/postgres/quote.ts";
import { lookRegularly } from "./look-regularly.ts";

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
  every = WRITE_EVERY_MS,
): ItemViews {
  // Of pages that there are, so it grows no further than the catalogue.
  let counts = new Map<string, number>();
  const add = (slug: string, views: number) => counts.set(slug, (counts.get(slug) ?? 0) + views);
  const describe = (why: Sentence) =>
    sentence`Views of items could not be counted (${why}); it is tried again.`;
  const options = { url, applicationName: "item views", idleTime: 10, every, describe, report };
  const writes = lookRegularly(options, async (query) => {
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
 * The slug of the item whose page somebody opens by this request. A page that is open already reads its own data again
 * whenever the catalogue changes: that is no view.
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
