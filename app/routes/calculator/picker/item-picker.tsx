import "./picker.css";
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { nameItems, type Offer, type OfferSlot } from "#app/features/trades/offer.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { afterPaint } from "#app/ui/after-paint.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, focusOnOpen } from "#app/ui/dialog.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { CategoryChips, type PickerCategory } from "./category-chips.tsx";
import { moveInGrid } from "./move-in-grid.ts";
import { PickerGrid } from "./picker-grid.tsx";
import { listPicker } from "./picker-sections.ts";

type ItemPickerProps = {
  /** The slot to fill; null while the dialog is closed. */
  place: SlotPlace | null;
  items: readonly CalculatorItem[];
  categories: readonly PickerCategory[];
  configuration: PageConfiguration;
  yours: Offer;
  theirs: Offer;
  /** Fills the opened slot, or the next empty one if it was filled while the dialog `stays` open. */
  onPick: (place: SlotPlace, slug: string, mode: ViewMode, stays: boolean) => void;
  onClose: () => void;
};

/**
 * The dialog that an empty slot opens (2.calc.04 to .09): a sheet on phones. It closes after one choice, unless "Add
 * several" keeps it open (P72). Arrow keys move in the grid; Enter in the search picks the first item.
 */
export function ItemPicker({ place, yours, theirs, onPick, onClose, ...props }: ItemPickerProps) {
  const [isSeveral, setSeveral] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const offer = place?.side === "them" ? theirs : yours;
  // What is not in the catalogue leaves room where the picker was opened.
  const isRoom = (slot: OfferSlot, index: number) => slot && "unknown" in slot && index === place?.index;
  const side = { ...offer, slots: offer.slots.map((slot, index) => (isRoom(slot, index) ? null : slot)) };
  // A full side has no slot for another item, which the picker says.
  const stays = isSeveral || !side.slots.includes(null);
  /** The sheet is hidden with the next paint and closed after it, since closing restyles the whole page. */
  function pick(slug: string, mode: ViewMode) {
    if (!place) return;
    if (stays) return onPick(place, slug, mode, true);
    setLeaving(true);
    afterPaint(() => {
      setLeaving(false);
      onClose();
      onPick(place, slug, mode, false);
    });
  }
  return (
    <Dialog open={place !== null} onClose={onClose} isLeaving={isLeaving} title="Select Item" size="sheet">
      <PickerBody
        {...props}
        side={side}
        isSeveral={isSeveral}
        stays={stays}
        onSeveral={setSeveral}
        onPick={pick}
        onDone={onClose}
      />
    </Dialog>
  );
}

type PickerBodyProps = Pick<ItemPickerProps, "items" | "categories" | "configuration"> & {
  /** The side being filled. */
  side: Offer;
  onPick: (slug: string, mode: ViewMode) => void;
  isSeveral: boolean;
  /** Whether the dialog stays open after a pick. */
  stays: boolean;
  onSeveral: (isSeveral: boolean) => void;
  onDone: () => void;
};

/** Remounted each time the dialog opens, so that its search starts empty. */
function PickerBody({ items, categories, configuration, onPick, isSeveral, ...props }: PickerBodyProps) {
  const [search, setSearch] = useState("");
  const [category, setCategory] = useState<string | null>(null);
  const [recent] = useState(readRecentItems);
  // A typed letter appears in the field before the grid follows, unless an arrow key needs the grid at once.
  const [urgent, setUrgent] = useState("");
  const deferred = useDeferredValue(search);
  const sought = urgent === search ? search : deferred;
  const list = useMemo(
    () => listPicker(items, { search: sought, category, recent }),
    [items, sought, category, recent],
  );

  function move(event: KeyboardEvent<HTMLElement>) {
    if (event.key.startsWith("Arrow") && sought !== search) flushSync(() => setUrgent(search));
    moveInGrid(event);
  }

  function pick(slug: string, mode: ViewMode) {
    keepRecentItem(slug);
    if (isSeveral) setSearch("");
    onPick(slug, mode);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut between controls that Tab reaches too
    <div className="picker" onKeyDown={move}>
      <form
        className="picker-head"
        onSubmit={(event) => {
          event.preventDefault();
          const { first, mode } = listPicker(items, { search, category, recent });
          if (first) pick(first.slug, mode);
        }}
      >
        <SearchField
          ref={focusOnOpen}
          label="Search items"
          placeholder="Search items..."
          enterKeyHint="go"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button
          className="picker-several"
          aria-pressed={isSeveral}
          onClick={() => props.onSeveral(!isSeveral)}
        >
          Add several
        </Button>
        {props.stays && (
          <>
            <p role="status" className={isVisible(configuration, "name") ? "picker-picked" : "sr-only"}>
              {describeSide(props.side)}
            </p>
            <Button variant="primary" onClick={props.onDone}>
              Done
            </Button>
          </>
        )}
      </form>
      {sought === "" && categories.length > 0 && (
        <CategoryChips categories={categories} chosen={category} onChoose={setCategory} />
      )}
      <PickerGrid list={list} configuration={configuration} onPick={pick} />
    </div>
  );
}

/** The side's content, such as `2 Dough, permanent Portal`, and whether it is full. */
function describeSide({ slots, filled }: Offer): string {
  const picked = nameItems({ filled, unknown: [] }).join(", ") || "Nothing picked yet";
  return slots.includes(null) ? picked : `This side is full: ${picked}`;
}

/** One row of the picker. */
const KEPT_ITEMS = 4;

/** The slugs of the items picked last in this browser, latest first. */
function readRecentItems(): string[] {
  return (readKept("recentItems") ?? "").split(",").filter(Boolean).slice(0, KEPT_ITEMS);
}

function keepRecentItem(slug: string): void {
  const others = readRecentItems().filter((each) => each !== slug);
  writeKept("recentItems", [slug, ...others].slice(0, KEPT_ITEMS).join(","));
}
