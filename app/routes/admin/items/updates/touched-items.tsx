import { useId, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { Choice } from "#app/ui/choice.tsx";
import { useFault } from "#app/ui/form/form.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { countOf } from "#domain/text/counts.ts";

/** How many are offered at once; a search finds the others. */
const OFFERED = 60;

type TouchedItemsProps = {
  items: readonly Item[];
  touched: ReadonlySet<string>;
  onTouch(touched: ReadonlySet<string>): void;
};

/** Selects items by name. */
export function TouchedItems({ items, touched, onTouch }: TouchedItemsProps) {
  const id = useId();
  const [search, setSearch] = useState("");
  const fault = useFault("items");
  const word = search.trim().toLowerCase();
  const found = items.filter(({ name, aliases }) => `${name}, ${aliases}`.toLowerCase().includes(word));
  const offered = found.slice(0, OFFERED);

  function toggle(ids: readonly string[], isTouched: boolean) {
    const next = new Set(touched);
    for (const each of ids) {
      if (isTouched) next.add(each);
      else next.delete(each);
    }
    onTouch(next);
  }

  return (
    <fieldset aria-describedby={`${id}-count`} className="grid gap-2">
      <legend className="field-label">Items that the update touched</legend>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Find items"
          placeholder="Find items..."
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // Enter would submit the update while items are still being chosen.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        <Button
          size="sm"
          onClick={() =>
            toggle(
              found.map((item) => item.id),
              true,
            )
          }
        >
          {word ? `Choose these ${found.length}` : `Choose all ${found.length}`}
        </Button>
        {touched.size > 0 && (
          <Button size="sm" variant="ghost" onClick={() => onTouch(new Set())}>
            Choose none
          </Button>
        )}
      </div>
      <p id={`${id}-count`} role="status" className={fault ? "field-error text-sm" : "text-muted text-sm"}>
        {fault ?? `${countOf(touched.size, "item")} chosen`}
      </p>
      <ul className="grid max-h-64 grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 overflow-y-auto">
        {offered.map((item) => (
          <li key={item.id}>
            <Choice
              type="checkbox"
              name="items"
              checked={touched.has(item.id)}
              onChange={(event) => toggle([item.id], event.target.checked)}
            >
              {item.name}
            </Choice>
          </li>
        ))}
      </ul>
      {found.length > OFFERED && (
        <p className="text-muted text-sm">
          {found.length - OFFERED} more are not shown: search for them by name.
        </p>
      )}
    </fieldset>
  );
}
