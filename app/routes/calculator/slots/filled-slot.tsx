import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import type { FilledSlot as FilledSlotContent } from "#app/features/trades/offer.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { rarityStyle } from "#domain/items/rarity.ts";
import { titled } from "#domain/text/words.ts";
import { figuresOf, VIEW_MODE_LABELS, VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import { SIDE_LABELS } from "./slot-element.ts";

const MODES = VIEW_MODES.map((value) => ({ value, label: VIEW_MODE_LABELS[value] }));

type FilledSlotProps = FilledSlotContent & {
  place: SlotPlace;
  configuration: PageConfiguration;
  onMode: (place: SlotPlace, mode: ViewMode) => void;
  onRemove: (place: SlotPlace) => void;
};

/** A slot with an item: picture or name, remove button, mode, value and price of that mode (2.calc.10 to .12). */
export function FilledSlot({ item, mode, place, configuration, onMode, onRemove }: FilledSlotProps) {
  const hasRarity = isVisible(configuration, "rarity");
  return (
    <fieldset className={`slot-filled ${hasRarity ? `rarity-${rarityStyle(item.rarity)}` : ""}`}>
      <legend className="sr-only">
        {SIDE_LABELS[place.side]}, slot {place.index + 1}: {item.name}
      </legend>
      {hasRarity && <RarityFlag rarity={item.rarity} />}
      <RemoveButton name={item.name} onClick={() => onRemove(place)} />
      <SlotFace item={item} configuration={configuration} />
      <SegmentedControl
        label={`View mode of ${item.name}`}
        options={MODES}
        value={mode}
        onChange={(next) => onMode(place, next)}
        size="compact"
      />
      <SlotFigures item={item} mode={mode} configuration={configuration} />
    </fieldset>
  );
}

type SlotPartProps = Pick<FilledSlotProps, "item" | "configuration">;

/** The picture over the name; without a picture the name takes its place. */
function SlotFace({ item, configuration }: SlotPartProps) {
  const hasImage = isVisible(configuration, "image") && item.image_url;
  const hasName = isVisible(configuration, "name");
  if (!hasImage) {
    return (
      <p className="slot-name slot-name-alone">
        <span className={hasName ? undefined : "sr-only"}>{item.name}</span>
      </p>
    );
  }
  return (
    <>
      <ItemImage
        src={item.image_url}
        alt={hasName ? "" : item.name}
        size={72}
        eager
        className="slot-picture"
      />
      {hasName && <p className="slot-name">{item.name}</p>}
    </>
  );
}

function SlotFigures({ item, mode, configuration }: SlotPartProps & { mode: ViewMode }) {
  const { value, price, currency } = figuresOf(item, mode);
  return (
    <div className="slot-figures figures">
      {isVisible(configuration, "current_value") && (
        <p className="slot-value">
          <span className="sr-only">Value </span>
          <FigureText text={value.text} />
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

/** The flag of the badge alone, where its word has no room to be seen. */
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
        <svg
          aria-hidden="true"
          width="12"
          height="12"
          viewBox="0 0 12 12"
          stroke="currentColor"
          strokeWidth="2"
        >
          <path d="m2 2 8 8M10 2l-8 8" strokeLinecap="round" />
        </svg>
      </span>
    </button>
  );
}
