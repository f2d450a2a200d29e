import { memo, useDeferredValue, useEffect, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { PickerItem } from "./picker-item.tsx";
import { type PickerList, takeFirst } from "./picker-sections.ts";

type PickerGridProps = {
  list: PickerList;
  configuration: PageConfiguration;
  onPick: (slug: string, mode: ViewMode) => void;
};

/** What fits on screen when the sheet opens; the rest is rendered right after the first paint. */
const FIRST_SCREEN = 16;
/** Longer lists are quicker to search. */
const PAGE = 240;

/** The items in four columns, under headings if all are listed. */
export function PickerGrid({ list, configuration, onPick }: PickerGridProps) {
  // Keeps the callback stable, so that items re-render only when they change.
  const latest = useRef(onPick);
  useEffect(() => {
    latest.current = onPick;
  });
  const pick = useRef((slug: string, mode: ViewMode) => latest.current(slug, mode)).current;
  const [limit, setLimit] = useState(PAGE);
  const room = useDeferredValue(limit, FIRST_SCREEN);
  return (
    <>
      <Sections list={list} room={room} configuration={configuration} onPick={pick} />
      {list.count > limit && (
        <Button className="picker-others" onClick={() => setLimit(limit + PAGE)}>
          Show more items
        </Button>
      )}
    </>
  );
}

type SectionsProps = PickerGridProps & {
  /** The maximum number of items shown. */
  room: number;
};

const Sections = memo(function Sections({ list, room, configuration, onPick }: SectionsProps) {
  const { mode, count } = list;
  return (
    <>
      <p role="status" className={count > 0 ? "sr-only" : "picker-none"}>
        {count > 0 ? `${count} items` : "No items found"}
      </p>
      {takeFirst(list.sections, room).map(({ title, items }) => (
        <section key={title} aria-label={title ?? "Found"}>
          {title && <h3 className="picker-title">{title}</h3>}
          <ul className="picker-grid">
            {items.map((item) => (
              <PickerItem
                key={item.id}
                item={item}
                mode={mode}
                configuration={configuration}
                onPick={onPick}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
});
