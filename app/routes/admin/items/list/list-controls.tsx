import type { ReactNode } from "react";
import type { Category } from "#app/features/categories/category-queries.ts";
import { BareSelect, categoryOptions } from "#app/routes/admin/items/choices.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { ITEM_ORDERS, type ItemOrder, type ListChoice } from "./list-choice.ts";

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
        options={Object.entries(ITEM_ORDERS)}
      />
      <span role="status" className="figures text-muted text-sm">
        {count}
      </span>
      <span className="ms-auto flex flex-wrap gap-1.5">{children}</span>
    </div>
  );
}
