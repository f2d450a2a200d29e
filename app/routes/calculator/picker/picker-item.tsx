import { memo } from "react";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { rarityStyle } from "#domain/items/rarity.ts";
import { figuresOf, type ViewMode } from "#domain/values/view-mode.ts";

type PickerItemProps = {
  item: CalculatorItem;
  /** The mode in which it is added. */
  mode: ViewMode;
  configuration: PageConfiguration;
  onPick: (slug: string, mode: ViewMode) => void;
};

/** An item to choose, with the figures of the mode in which it is added. */
export const PickerItem = memo(function PickerItem({ item, mode, configuration, onPick }: PickerItemProps) {
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
        <span className={shows("name") ? "picker-name" : "sr-only"}>{item.name}</span>
        {mode === "permanent" && <span className="picker-mode">Permanent</span>}
        {shows("current_value") && (
          <span className="picker-value figures">
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
