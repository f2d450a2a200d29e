import { Fragment } from "react";
import type { AdState } from "#app/features/ads/ad-queries.ts";
import { AdSlot } from "#app/features/ads/ad-slot.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { AD_AFTER_EVERY } from "#domain/text/limits.ts";
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

/** As many cards as every first screen shows; their pictures are not put off. */
const IN_VIEW = 6;

/** The cards, two to six in a row, with an ad after every eighth but not after the last. */
export function ItemGrid({ items, modes, onMode, configuration, ad, now }: ItemGridProps) {
  if (items.length === 0) {
    return <EmptyState title="No items found">Try another name, or look in All Items.</EmptyState>;
  }
  return (
    <ul className="grid grid-flow-dense grid-cols-2 gap-2.5 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4 xl:grid-cols-5 2xl:grid-cols-6">
      {items.map((item, index) => (
        <Fragment key={item.slug}>
          <ItemCard
            item={item}
            mode={modeOf(modes, item.slug)}
            onMode={onMode}
            configuration={configuration}
            now={now}
            eager={index < IN_VIEW}
            place={ad !== "off" && index + 1 === items.length ? lastCardPlace(items.length) : undefined}
          />
          {ad !== "off" && (index + 1) % AD_AFTER_EVERY === 0 && index + 1 < items.length && (
            // Dense: where a row is not full before the ad, the next cards fill it.
            <li className="col-span-full py-1">
              <AdSlot placement="values_grid" state={ad} />
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  );
}
