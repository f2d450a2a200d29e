import { memo, startTransition, useOptimistic } from "react";
import { Link } from "react-router";
import { CheckAge } from "#app/features/items/check-age.tsx";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { modeQuery, type ViewMode } from "#domain/values/view-mode.ts";
import { CardFigures } from "./card-figures.tsx";
import type { ListedItem } from "./listed-item.ts";
import { ModeButton } from "./mode-button.tsx";
import { linePath } from "./value-line.ts";

type ItemCardProps = {
  item: ListedItem;
  mode: ViewMode;
  /** Must be stable across renders; otherwise the card re-renders with every keystroke of the search. */
  onMode: (slug: string, mode: ViewMode) => void;
  configuration: PageConfiguration;
  now: number;
  /** Whether it is in the initial viewport. */
  eager?: boolean;
  /** Classes for its place in the grid. */
  place?: string;
};

/**
 * An item of the values list, as a card or, by CSS alone, as a row. All of it is one link below the mode toggle, which
 * is not part of the link.
 */
export const ItemCard = memo(function ItemCard({
  item,
  mode,
  onMode,
  configuration,
  now,
  eager,
  place = "",
}: ItemCardProps) {
  // The card responds at once; the list, which holds all modes, updates when idle.
  const [shownMode, showMode] = useOptimistic(mode);
  const changeMode = (next: ViewMode) =>
    startTransition(() => {
      showMode(next);
      onMode(item.slug, next);
    });
  const range = item.ranges[shownMode];
  const shows = (field: Parameters<typeof isVisible>[1]) => isVisible(configuration, field);
  return (
    <li className={`item ${place}`}>
      {shows("image") && <ItemImage src={item.image} size={56} eager={eager} className="item-picture" />}
      <h2 className="item-name">
        <Link
          to={`/fruits/${item.slug}${modeQuery(shownMode)}`}
          prefetch="intent"
          aria-label={shows("name") ? undefined : item.name}
        >
          {shows("name") && item.name}
        </Link>
      </h2>
      <div className="item-badges">
        {shows("rarity") && <RarityBadge rarity={item.rarity} />}
        {shows("demand") && <DemandBadge demand={item.demand} />}
      </div>
      <CardFigures item={item} mode={shownMode} configuration={configuration} now={now} />
      {shows("value_change") && <ValueLine line={item.lines[shownMode]} />}
      <ModeButton name={item.name} mode={shownMode} onChange={changeMode} />
      <p className="item-checked">
        <CheckAge checked={item.checked} now={now} />
        {range && shows("current_value") && ` · ${range[1]}`}
      </p>
      <p className="item-hint">Click for detailed statistics →</p>
    </li>
  );
});

/** A small chart of the value's last year; the figures beside it say the same in words. */
function ValueLine({ line }: { line: string }) {
  return (
    <svg aria-hidden="true" className="item-line" viewBox="0 -1 24 11" preserveAspectRatio="none">
      <path d={linePath(line)} />
    </svg>
  );
}
