import { Fragment, memo } from "react";
import type { AdState } from "#app/features/ads/ad-queries.ts";
import { AdSlot } from "#app/features/ads/ad-slot.tsx";
import { AD_AFTER_EVERY } from "#app/features/ads/placement.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { ItemCard } from "./item-card.tsx";
import { lastCardPlace } from "./last-card-place.ts";
import { type ListModes, modeOf } from "./list-modes.ts";
import type { ListedItem } from "./listed-item.ts";

type ItemGridProps = {
  items: readonly ListedItem[];
  modes: ListModes;
  onMode: (slug: string, mode: ViewMode) => void;
  configuration: PageConfiguration;
  ad: AdState;
  now: number;
};

/** The items on any first screen; their pictures are not lazy. */
const IN_VIEW = 8;

/** The items: cards, two to six per row, or rows; with an ad after every eighth except the last. */
export const ItemGrid = memo(function ItemGrid({
  items,
  modes,
  onMode,
  configuration,
  ad,
  now,
}: ItemGridProps) {
  return (
    <ul className="items">
      {items.map((item, index) => (
        <Fragment key={item.slug}>
          <ItemCard
            item={item}
            mode={modeOf(modes, item.slug)}
            onMode={onMode}
            configuration={configuration}
            now={now}
            eager={index < IN_VIEW}
            place={ad !== "off" && index + 1 === items.length ? lastCardPlace(items.length) : ""}
          />
          {ad !== "off" && (index + 1) % AD_AFTER_EVERY === 0 && index + 1 < items.length && (
            // Dense: if a row is not full before the ad, the next cards fill it.
            <li className="col-span-full py-1">
              <AdSlot placement="values_grid" state={ad} />
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  );
});
