import type { ReactNode } from "react";
import type { Category } from "#app/features/categories/category-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import { BareSelect, categoryOptions } from "#app/routes/admin/items/choices.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { type ItemOrder, orderOptions, sortItems } from "../item-orders.ts";

export type ListChoice = {
  search: string;
  /** A category's id, `none` for items without one, empty for all. */
  category: string;
  order: ItemOrder;
};

type ListControlsProps = {
  choice: ListChoice;
  onChoose(choice: ListChoice): void;
  categories: readonly Category[];
  /** `86 items`, or how many of them are shown. */
  count: string;
  children: ReactNode;
};

/** Filters and sorts the list; stays visible while the list scrolls. */
export function ListControls({ choice, onChoose, categories, count, children }: ListControlsProps) {
  const change = (part: Partial<ListChoice>) => onChoose({ ...choice, ...part });
  return (
    <div className="item-controls">
      <SearchField
        label="Search items"
        placeholder="Search items..."
        value={choice.search}
        onChange={(event) => change({ search: event.target.value })}
      />
      <BareSelect
        label="Category"
        value={choice.category}
        onChoose={(category) => change({ category })}
        options={[["", "All categories"], ...categoryOptions(categories), ["none", "Without category"]]}
      />
      <BareSelect
        label="Order"
        value={choice.order}
        onChoose={(order) => change({ order: order as ItemOrder })}
        options={orderOptions("name", "checked", "value", "edited")}
      />
      <span role="status" className="figures text-muted text-sm">
        {count}
      </span>
      <span className="ms-auto flex flex-wrap gap-1.5">{children}</span>
    </div>
  );
}

/** The items to show, in order. The one being edited stays: a search must not remove a form with unsaved input. */
export function chooseItems(
  items: readonly Item[],
  { search, category, order }: ListChoice,
  editing: string | null,
): readonly Item[] {
  const wanted = search.trim().toLowerCase();
  const shown = items.filter(
    (item) =>
      item.id === editing ||
      ((category === "" || (item.category_id ?? "none") === category) &&
        (item.name.toLowerCase().includes(wanted) || item.slug.includes(wanted))),
  );
  return sortItems(shown, order);
}
