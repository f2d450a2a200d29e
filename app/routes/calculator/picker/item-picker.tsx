import { type KeyboardEvent, useState } from "react";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { PickerItem } from "./picker-item.tsx";

type ItemPickerProps = {
  open: boolean;
  items: readonly CalculatorItem[];
  configuration: PageConfiguration;
  onPick: (slug: string) => void;
  onClose: () => void;
};

/** The dialog that an empty slot opens (2.calc.04 to .09). Arrow keys move in the grid; Enter in the search picks the first item. */
export function ItemPicker({ open, items, configuration, onPick, onClose }: ItemPickerProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Select Item" size="wide">
      <PickerList items={items} configuration={configuration} onPick={onPick} />
    </Dialog>
  );
}

/** Mounted anew each time the dialog opens, so its search starts empty. */
function PickerList({ items, configuration, onPick }: Omit<ItemPickerProps, "open" | "onClose">) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = findItems(items, wanted);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut between controls that Tab reaches too
    <div onKeyDown={moveInGrid}>
      <form
        className="sticky -top-5 z-10 -mx-5 -mt-5 bg-surface px-3 py-3 sm:px-5"
        onSubmit={(event) => {
          event.preventDefault();
          const first = wanted && found[0];
          if (first) onPick(first.slug);
        }}
      >
        <SearchField
          ref={focusWhereAKeyboardIs}
          label="Search items"
          placeholder="Search items..."
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </form>
      <p role="status" className={found.length > 0 ? "sr-only" : "py-10 text-center text-muted"}>
        {found.length > 0 ? `${found.length} items` : "No items found"}
      </p>
      <ul className="-mx-2.5 grid grid-cols-4 gap-1 sm:mx-0 sm:gap-2">
        {found.map((item) => (
          <PickerItem key={item.id} item={item} configuration={configuration} onPick={onPick} />
        ))}
      </ul>
    </div>
  );
}

/** The items whose name holds the text, those that begin with it first: Kitsune before Crimson Kitsune. */
function findItems(items: readonly CalculatorItem[], wanted: string): CalculatorItem[] {
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = (item: CalculatorItem) => Number(item.name.toLowerCase().startsWith(wanted));
  return found.sort((a, b) => begins(b) - begins(a));
}

/** The dialog gives focus to what carries this attribute; on a touch screen that would raise the keyboard over the items. */
function focusWhereAKeyboardIs(input: HTMLInputElement | null) {
  if (matchMedia("(hover: hover)").matches) input?.setAttribute("autofocus", "");
}

const COLUMNS = 4;

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };

/** Moves focus by arrow keys from the search into the picker's grid, within it, and over its first row back. */
function moveInGrid(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  if (!step) return;
  const search = event.currentTarget.querySelector("input");
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("li button")];
  const place = items.indexOf(document.activeElement as HTMLElement);
  const target = place < 0 ? enter(event.key, items) : (items[place + step] ?? leave(event.key, search));
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Left and right belong to the text in the search. */
function enter(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  return key === "ArrowDown" ? items[0] : undefined;
}

function leave(key: string, search: HTMLElement | null): HTMLElement | null {
  return key === "ArrowUp" ? search : null;
}
