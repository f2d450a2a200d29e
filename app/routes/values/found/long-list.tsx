import { useCallback, useEffect, useMemo, useState } from "react";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { findItems } from "#app/routes/values/find-items.ts";
import { formatListQuery, type ListChoice } from "#app/routes/values/finder/list-query.ts";
import { unpackItems } from "#app/routes/values/pack-items.ts";
import { ItemList, type ItemListProps } from "../item-list.tsx";
import { askForPages } from "./ask-for-pages.ts";
import type { FoundItems } from "./found-items.ts";
import { PageLinks } from "./page-links.tsx";
import type { ShownItems } from "./use-whole-list.ts";

/** The list of a catalogue that is too long to be sent as a whole. */
export default function LongList(props: ItemListProps) {
  return <ItemList {...props} useItems={useLongList} />;
}

/** How long typing must pause before the server is asked, in milliseconds. */
const PAUSE = 200;

/** The matching items of a partly loaded catalogue: known matches show at once, the rest when the server responds. */
function useLongList(first: FoundItems, filter: ListChoice): ShownItems {
  const query = formatListQuery(filter);
  const [known, setKnown] = useState({ first, query: first.query, pages: [first] });
  const { pages } = known;
  const isSame = known.query === query;

  const last = pages.at(-1) ?? first;
  // The choice that the server answered; null if it could not be asked.
  const answer = last.query === query ? last : null;
  const isAnswered = answer !== null;

  const ask = useCallback(
    async (signal?: AbortSignal) => {
      const numbers = isAnswered ? pages.map(({ page }) => page) : [1];
      const asked = await askForPages(query, numbers, signal);
      // Offline, the loaded pages are all there is.
      if (!signal?.aborted) setKnown({ first, query, pages: asked ?? pages });
    },
    [first, query, pages, isAnswered],
  );

  useEffect(() => {
    if (isSame && known.first === first) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void ask(stop.signal), PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ask, first, known, isSame]);

  async function more(): Promise<boolean> {
    const next = await askForPages(query, [(pages.at(-1) ?? first).page + 1]);
    if (next) setKnown((now) => (now === known ? { ...now, pages: [...pages, ...next] } : now));
    return next !== null;
  }

  const all = useMemo(() => unpackPages(pages), [pages]);
  const { found, mode } = useMemo(() => findItems(all, filter), [all, filter]);
  const isUnknown = isSame && !isAnswered && found.length === 0;
  return {
    found,
    mode,
    count: isSame && !isUnknown ? (answer?.count ?? found.length) : null,
    scope: isSame && !isAnswered && !isUnknown ? " among those loaded" : "",
    median: answer?.median ?? null,
    near: () => answer?.near ?? [],
    failure: isUnknown && (
      <RetryNotice onRetry={ask}>
        None of the loaded items matches, and the others can’t be searched right now.
      </RetryNotice>
    ),
    foot: answer && <PageLinks pages={pages} query={query} onMore={more} />,
  };
}

/** An item that moved between pages meanwhile is on both. */
function unpackPages(pages: readonly FoundItems[]) {
  const items = pages.flatMap((page) => unpackItems(page.items));
  return [...new Map(items.map((item) => [item.slug, item])).values()];
}
