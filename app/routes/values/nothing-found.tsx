import type { MouseEvent } from "react";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { nearestItems, type Searchable, searchItems } from "#domain/items/item-search.ts";

type NothingFoundProps = {
  /** All that there are, whatever is chosen. */
  items: readonly Searchable[];
  search: string;
  /** Looks for a text among all items; an empty one shows them all. */
  onSearch: (search: string) => void;
};

const SUGGESTIONS = 3;

/** What may have been meant, each a tap away, and the way back to everything (2.values.15). */
export function NothingFound({ items, search, onSearch }: NothingFoundProps) {
  const near = suggest(items, search);
  const press = (text: string) => (event: MouseEvent) => {
    event.preventDefault();
    onSearch(text);
  };
  return (
    <EmptyState
      title="No items found"
      action={
        <div className="grid justify-items-center gap-4">
          {near.length > 0 && (
            <ul aria-label="Did you mean" className="flex flex-wrap justify-center gap-2">
              {near.map(({ name }) => (
                <li key={name}>
                  <LinkButton to={`/values?q=${encodeURIComponent(name)}`} onClick={press(name)}>
                    {name}
                  </LinkButton>
                </li>
              ))}
            </ul>
          )}
          <LinkButton to="/values" variant="primary" onClick={press("")}>
            Show all items
          </LinkButton>
        </div>
      }
    >
      {near.length > 0 ? "Did you mean one of these?" : "Nothing has a name like that among what you chose."}
    </EmptyState>
  );
}

/** What the text finds beyond the filters; where it finds nothing at all, what comes nearest to it. */
function suggest(items: readonly Searchable[], search: string): Searchable[] {
  if (search.trim() === "") return [];
  const found = searchItems(items, search).found.slice(0, SUGGESTIONS);
  return found.length > 0 ? found : nearestItems(items, search, SUGGESTIONS);
}
