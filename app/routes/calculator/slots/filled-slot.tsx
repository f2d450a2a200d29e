import { Link } from "react-router";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import type { FilledSlot as FilledSlotContent } from "#app/features/trades/offer.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { rarityStyle } from "#domain/items/rarity.ts";
import { titled } from "#domain/text/words.ts";
import { figuresOf, modeQuery, type ViewMode } from "#domain/values/view-mode.ts";
import { SIDE_LABELS } from "./slot-element.ts";

type FilledSlotProps = FilledSlotContent & {
  place: SlotPlace;
  configuration: PageConfiguration;
  onMore: (place: SlotPlace) => void;
  /** Whether its side has no empty slot left. */
  full: boolean;
  onMode: (place: SlotPlace, mode: ViewMode) => void;
  onRemove: (place: SlotPlace) => void;
};

/**
 * A slot with an item: picture or name, remove button, mode, and the value and price of that mode (2.calc.10 to .12).
 * Pressing the picture adds another one.
 */
export function FilledSlot({
  item,
  mode,
  place,
  configuration,
  onMore,
  full,
  onMode,
  onRemove,
}: FilledSlotProps) {
  const hasRarity = isVisible(configuration, "rarity");
  return (
    <fieldset className={`slot-filled ${hasRarity ? `rarity-${rarityStyle(item.rarity)}` : ""}`}>
      <legend className="sr-only">
        {SIDE_LABELS[place.side]}, slot {place.index + 1}: {item.name}
      </legend>
      {hasRarity && <RarityFlag rarity={item.rarity} />}
      <SlotFace item={item} configuration={configuration} full={full} onMore={() => onMore(place)} />
      <RemoveButton name={item.name} onClick={() => onRemove(place)} />
      {isVisible(configuration, "name") && item.image_url && isVisible(configuration, "image") && (
        <p className="slot-name" translate="no">
          {item.name}
        </p>
      )}
      <SlotFigures item={item} mode={mode} configuration={configuration} />
      <ViewModeToggle
        label={`View mode of ${item.name}`}
        mode={mode}
        onChange={(next) => onMode(place, next)}
        compact
      />
    </fieldset>
  );
}

type SlotPartProps = Pick<FilledSlotProps, "item" | "configuration">;

/** A button with the picture, or the name if there is none, that adds another one. */
function SlotFace({
  item,
  configuration,
  full,
  onMore,
}: SlotPartProps & { full: boolean; onMore: () => void }) {
  const hasImage = isVisible(configuration, "image") && item.image_url;
  const hasName = isVisible(configuration, "name");
  return (
    <button type="button" onClick={onMore} aria-disabled={full || undefined} className="slot-more">
      {hasImage && <ItemImage src={item.image_url} size={72} eager alone className="slot-picture" />}
      {!full && <span className="slot-plus">+1</span>}
      <span translate="no" className={hasImage || !hasName ? "sr-only" : "slot-name slot-name-alone"}>
        {` ${item.name}`}
      </span>
    </button>
  );
}

function SlotFigures({ item, mode, configuration }: SlotPartProps & { mode: ViewMode }) {
  const { value, price, currency } = figuresOf(item, mode);
  return (
    <div className="slot-figures figures">
      {isVisible(configuration, "current_value") && (
        <p className="slot-value">
          <Link to={`/fruits/${item.slug}${modeQuery(mode)}`} prefetch="none" translate="no">
            <span className="sr-only">Value </span>
            <FigureText text={value.text} />
          </Link>
        </p>
      )}
      {isVisible(configuration, "beli_price") && (
        <p className="slot-price">
          <span className="sr-only">{currency} price </span>
          <FigureText text={price.text} unit={currency} />
        </p>
      )}
      {isVisible(configuration, "demand") && <DemandBadge demand={item.demand} className="slot-demand" />}
    </div>
  );
}

/** The badge's flag alone, where there is no room for the word. */
function RarityFlag({ rarity }: { rarity: string }) {
  return (
    <span title={titled(rarity)} className="slot-flag">
      <RarityBadge rarity={rarity} />
    </span>
  );
}

/** Empties its slot. */
export function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" aria-label={`Remove ${name}`} onClick={onClick} className="slot-remove">
      <span>
        <LineIcon path="m5 5 8 8M13 5l-8 8" width={2} />
      </span>
    </button>
  );
}
