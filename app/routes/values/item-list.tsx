import { useCallback, useDeferredValue, useId, useMemo, useRef, useState } from "react";
import type { AdState } from "#app/features/ads/ad-queries.ts";
import { CheckNotice } from "#app/features/items/check-notice.tsx";
import { useNow } from "#app/features/items/use-now.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { medianDay } from "#domain/text/dates.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { findItems } from "./find-items.ts";
import { type ListChoice, NO_FACETS } from "./finder/list-query.ts";
import { SortField } from "./finder/sort-field.tsx";
import { useListChoice } from "./finder/use-list-choice.ts";
import { ValueFilters } from "./finder/value-filters.tsx";
import { ItemGrid } from "./item-grid.tsx";
import { allInMode, withMode } from "./list-modes.ts";
import { NothingFound } from "./nothing-found.tsx";
import { unpackItems } from "./pack-items.ts";

type ItemListProps = {
  /** As `packItems` packed them. */
  items: string;
  tabs: readonly { slug: string; name: string; icon: string }[];
  configuration: PageConfiguration;
  ad: AdState;
  renderedAt: number;
};

const EVERYTHING: Partial<ListChoice> = { ...NO_FACETS, search: "", category: null };

/** The filters and the items they leave. Typing answers at once, the items follow in the next free moment. */
export function ItemList({ items, tabs, configuration, ad, renderedAt }: ItemListProps) {
  const [choice, choose] = useListChoice();
  const [modes, setModes] = useState(() => allInMode(choice.mode));
  const setMode = useCallback(
    (slug: string, mode: ViewMode) => setModes((all) => withMode(all, slug, mode)),
    [],
  );
  const filter = useDeferredValue(choice);
  const all = useMemo(() => unpackItems(items), [items]);
  const { found, mode } = useMemo(() => findItems(all, filter), [all, filter]);
  const median = useMemo(() => medianDay(found.map(({ checked }) => checked)), [found]);
  if (modes.standard !== mode) setModes(allInMode(mode));
  const now = useNow(renderedAt);
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);

  function chooseAnew(search: string) {
    choose({ ...EVERYTHING, search });
    // What was pressed goes away with the answer.
    panel.current?.focus();
  }

  return (
    <>
      <form action="/values" className="finder" onSubmit={(event) => event.preventDefault()}>
        <ValueFilters tabs={tabs} choice={choice} onChoose={choose} panelId={panelId} count={found.length} />
        <div className="finder-foot">
          <p className="finder-count">
            <span role="status">{found.length === 1 ? "1 item" : `${found.length} items`}</span>{" "}
            <CheckNotice median={median} count={found.length} now={now} />
          </p>
          <SortField sort={choice.sort} onChange={(sort) => choose({ sort })} />
        </div>
      </form>
      <div ref={panel} id={panelId} role="tabpanel" aria-label="Items" tabIndex={-1} className="values-panel">
        {found.length === 0 ? (
          <NothingFound items={all} search={filter.search} onSearch={chooseAnew} />
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
      </div>
    </>
  );
}
