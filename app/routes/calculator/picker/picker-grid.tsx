import { memo, useDeferredValue, useEffect, useRef, useState } from "react";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { rarityStyle } from "#domain/items/rarity.ts";
import { figuresOf, type ViewMode } from "#domain/values/view-mode.ts";
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
        <Button className="mt-2 w-full" onClick={() => setLimit(limit + PAGE)}>
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
      <p role="status" className={count > 0 ? "sr-only" : "py-10 text-center text-muted"}>
        {count > 0 ? `${count} ${count === 1 ? "item" : "items"}` : "No items found"}
      </p>
      {takeFirst(list.sections, room).map(({ title, items }) => (
        <section key={title} aria-label={title ?? "Found"}>
          {title && <h3 className="mt-3 mb-1.5 text-[1rem] text-muted">{title}</h3>}
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

type PickerItemProps = {
  item: CalculatorItem;
  /** The mode in which it is added. */
  mode: ViewMode;
  configuration: PageConfiguration;
  onPick: (slug: string, mode: ViewMode) => void;
};

/** An item to choose, with the figures of the mode in which it is added. */
const PickerItem = memo(function PickerItem({ item, mode, configuration, onPick }: PickerItemProps) {
  const shows = (field: Parameters<typeof isVisible>[1]) => isVisible(configuration, field);
  const { value, price, currency } = figuresOf(item, mode);
  return (
    <li>
      <button
        type="button"
        onClick={() => onPick(item.slug, mode)}
        className={`picker-item ${shows("rarity") ? `rarity-${rarityStyle(item.rarity)}` : ""}`}
      >
        {shows("image") && <ItemImage src={item.image_url} size={56} className="picker-picture" />}
        <span translate="no" className={shows("name") ? "picker-name" : "sr-only"}>
          {item.name}
        </span>
        {mode === "permanent" && <span className="picker-mode">Permanent</span>}
        {shows("current_value") && (
          <span className="picker-value figures" translate="no">
            <FigureText text={value.text} />
          </span>
        )}
        {shows("beli_price") && (
          <span className="picker-more picker-price figures">
            <FigureText text={price.text} unit={currency} />
          </span>
        )}
        <span className="picker-more picker-badges">
          {shows("rarity") && <RarityBadge rarity={item.rarity} />}
          {shows("demand") && <DemandBadge demand={item.demand} />}
        </span>
      </button>
    </li>
  );
});
