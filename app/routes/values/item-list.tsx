import { type MouseEvent, useCallback, useDeferredValue, useId, useMemo, useRef, useState } from "react";
import type { AdState } from "#app/features/ads/ad-queries.ts";
import { CheckNotice } from "#app/features/items/check-notice.tsx";
import { useNow } from "#app/features/items/use-now.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { applicable, type ListChoice, NO_FACETS } from "./finder/list-query.ts";
import { useListChoice } from "./finder/use-list-choice.ts";
import { SortField, ValueFilters } from "./finder/value-filters.tsx";
import type { FoundItems } from "./found/found-items.ts";
import { useWholeList } from "./found/use-whole-list.ts";
import { ItemGrid } from "./item-grid.tsx";
import { allInMode, withMode } from "./list-modes.ts";

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
  const filter = useDeferredValue(useMemo(() => applicable(choice, tabs), [choice, tabs]));
  const { found, mode, median, count, scope = "", near, failure, foot } = useItems(first, filter);
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
        <ValueFilters tabs={tabs} choice={choice} onChoose={choose} panelId={panelId} count={count} />
        <div className="finder-foot">
          <p className="finder-count">
            <span role="status">
              {failure ? "" : count === null ? "Searching…" : count === 1 ? "1 item" : `${count} items`}
              {scope}
            </span>{" "}
            <CheckNotice median={median} count={count ?? 0} now={now} />
          </p>
          <SortField sort={choice.sort} onChange={(sort) => choose({ sort })} />
        </div>
      </form>
      <div
        ref={panel}
        id={panelId}
        role="tabpanel"
        aria-label="Items"
        tabIndex={-1}
        className="mt-1 outline-none"
      >
        {failure ? (
          failure
        ) : count === 0 ? (
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

type NothingFoundProps = {
  /** Similar names. */
  near: readonly string[];
  /** Searches all items; an empty text shows all. */
  onSearch: (search: string) => void;
};

/** Similar names to tap, and a way to reset everything (2.values.15). */
function NothingFound({ near, onSearch }: NothingFoundProps) {
  const press = (text: string) => (event: MouseEvent) => {
    event.preventDefault();
    onSearch(text);
  };
  return (
    <EmptyState
      title="No items found"
      action={
        <div className="grid justify-items-center gap-4">
          {near.length > 0 && (
            <ul aria-label="Did you mean" className="flex flex-wrap justify-center gap-2">
              {near.map((name) => (
                <li key={name}>
                  <LinkButton to={`/values?q=${encodeURIComponent(name)}`} onClick={press(name)}>
                    {name}
                  </LinkButton>
                </li>
              ))}
            </ul>
          )}
          <LinkButton to="/values" variant="primary" onClick={press("")}>
            Show all items
          </LinkButton>
        </div>
      }
    >
      {near.length > 0 ? "Did you mean one of these?" : "Try another name, or fewer filters."}
    </EmptyState>
  );
}
