import type { MouseEvent } from "react";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

type NothingFoundProps = {
  /** Similar names. */
  near: readonly string[];
  /** Searches all items; an empty text shows all. */
  onSearch: (search: string) => void;
};

/** Similar names to tap, and a way to reset everything (2.values.15). */
export function NothingFound({ near, onSearch }: NothingFoundProps) {
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
              {near.map((name) => (
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
      {near.length > 0 ? "Did you mean one of these?" : "Try another name, or fewer filters."}
    </EmptyState>
  );
}
