import type { ReactNode } from "react";
import type { Category } from "#app/features/categories/category-queries.ts";
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

/** What narrows and orders the list; stays in view while it scrolls. */
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
      <select
        aria-label="Category"
        className="control"
        value={choice.category}
        onChange={(event) => change({ category: event.target.value })}
      >
        <option value="">All categories</option>
        {categories.map(({ id, icon, name }) => (
          <option key={id} value={id}>
            {`${icon} ${name}`.trim()}
          </option>
        ))}
        <option value="none">Without category</option>
      </select>
      <select
        aria-label="Order"
        className="control"
        value={choice.order}
        onChange={(event) => change({ order: event.target.value as ItemOrder })}
      >
        {Object.entries(ITEM_ORDERS).map(([order, label]) => (
          <option key={order} value={order}>
            {label}
          </option>
        ))}
      </select>
      <span role="status" className="figures text-muted text-sm">
        {count}
      </span>
      <span className="ms-auto flex flex-wrap gap-1.5">{children}</span>
    </div>
  );
}
