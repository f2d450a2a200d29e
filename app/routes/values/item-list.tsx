import { useCallback, useDeferredValue, useId, useRef, useState } from "react";
import type { AdState } from "#app/features/ads/ad-queries.ts";
import { CheckNotice } from "#app/features/items/check-notice.tsx";
import { useNow } from "#app/features/items/use-now.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { type ListChoice, NO_FACETS } from "./finder/list-query.ts";
import { SortField } from "./finder/sort-field.tsx";
import { useListChoice } from "./finder/use-list-choice.ts";
import { ValueFilters } from "./finder/value-filters.tsx";
import type { FoundItems } from "./found/found-items.ts";
import { useWholeList } from "./found/use-whole-list.ts";
import { ItemGrid } from "./item-grid.tsx";
import { allInMode, withMode } from "./list-modes.ts";
import { NothingFound } from "./nothing-found.tsx";

export type ItemListProps = {
  found: FoundItems;
  tabs: readonly { slug: string; name: string; icon: string }[];
  configuration: PageConfiguration;
  ad: AdState;
  readAt: number;
  /** Supplies the matching items. */
  useItems?: typeof useWholeList;
};

const EVERYTHING: Partial<ListChoice> = { ...NO_FACETS, search: "", category: null };

/** The filters and the matching items. Typing responds at once, the items follow when idle. */
export function ItemList({
  found: first,
  tabs,
  configuration,
  ad,
  readAt,
  useItems = useWholeList,
}: ItemListProps) {
  const form = useRef<HTMLFormElement>(null);
  const [choice, choose] = useListChoice(form);
  const [modes, setModes] = useState(() => allInMode(choice.mode));
  const setMode = useCallback(
    (slug: string, mode: ViewMode) => setModes((all) => withMode(all, slug, mode)),
    [],
  );
  const filter = useDeferredValue(choice);
  const { found, mode, median, count, near, foot } = useItems(first, filter);
  if (modes.standard !== mode) setModes(allInMode(mode));
  const now = useNow(readAt);
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);

  function replaceChoice(search: string) {
    choose({ ...EVERYTHING, search });
    // The pressed element is removed with the result.
    panel.current?.focus();
  }

  return (
    <>
      <form ref={form} action="/values" className="finder" onSubmit={(event) => event.preventDefault()}>
        <ValueFilters
          tabs={tabs}
          choice={choice}
          onChoose={choose}
          panelId={panelId}
          count={count ?? found.length}
        />
        <div className="finder-foot">
          <p className="finder-count">
            <span role="status">
              {count === null ? "Searching…" : count === 1 ? "1 item" : `${count} items`}
            </span>{" "}
            <CheckNotice median={median} count={count ?? 0} now={now} />
          </p>
          <SortField sort={choice.sort} onChange={(sort) => choose({ sort })} />
        </div>
      </form>
      <div ref={panel} id={panelId} role="tabpanel" aria-label="Items" tabIndex={-1} className="values-panel">
        {count === 0 ? (
          <NothingFound near={near()} onSearch={replaceChoice} />
        ) : (
          <ItemGrid
            items={found}
            modes={modes}
            onMode={setMode}
            configuration={configuration}
            ad={ad}
            now={now}
          />
        )}
        {foot}
      </div>
    </>
  );
}
