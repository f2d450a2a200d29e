import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { rarityStyle } from "#domain/items/rarity.ts";
import { figuresOf } from "#domain/values/view-mode.ts";

type PickerItemProps = {
  item: CalculatorItem;
  configuration: PageConfiguration;
  onPick: (slug: string) => void;
};

/** An item to choose, with its regular figures, since it is put into the slot in that mode. */
export function PickerItem({ item, configuration, onPick }: PickerItemProps) {
  const shows = (field: Parameters<typeof isVisible>[1]) => isVisible(configuration, field);
  const { value, price, currency } = figuresOf(item, "regular");
  const frame = shows("rarity") ? `rarity-${rarityStyle(item.rarity)} border-b-(--tone)` : "";
  return (
    <li className="min-w-0">
      <button
        type="button"
        onClick={() => onPick(item.slug)}
        className={`flex h-full w-full scroll-mt-24 flex-col items-center gap-0.5 rounded-md border border-b-4 border-line bg-sunken px-1 py-2 text-center leading-tight transition-colors hover:bg-raised ${frame}`}
      >
        {shows("image") && <ItemImage src={item.image_url} size={56} className="size-11 sm:size-14" />}
        <span className={shows("name") ? "text-2xs font-semibold sm:text-sm" : "sr-only"}>{item.name}</span>
        {shows("current_value") && (
          <span className="figures mt-auto text-sm font-bold sm:text-base">
            <FigureText text={value.text} />
          </span>
        )}
        {shows("beli_price") && (
          <span className="figures text-2xs text-muted max-sm:hidden">
            <FigureText text={price.text} unit={currency} />
          </span>
        )}
        <span className="flex flex-wrap justify-center gap-1 max-sm:hidden">
          {shows("rarity") && <RarityBadge rarity={item.rarity} />}
          {shows("demand") && <DemandBadge demand={item.demand} />}
        </span>
      </button>
    </li>
  );
}
