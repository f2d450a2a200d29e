import { type FormEvent, type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from "react";
import { Form, Link, useNavigate } from "react-router";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { Button } from "#app/ui/button.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { modeAskedFor, searchItems } from "#domain/items/item-search.ts";
import { modeQuery, type ViewMode } from "#domain/values/view-mode.ts";
import { type Suggestion, unpackSuggestions } from "./suggestions.ts";

const SHOWN = 6;

/**
 * The list's search on the home page (a GET of /values, with or without scripts). While typing, the first results
 * appear below: arrows move between them, Enter opens one (WAI-ARIA combobox pattern).
 */
export function HeroSearch({ index }: { index: string }) {
  const items = useMemo(() => unpackSuggestions(index), [index]);
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const navigate = useNavigate();
  const listId = useId();
  // The typed letter renders first, the results right after.
  const wanted = useDeferredValue(text);
  const all = useMemo(
    () => (wanted.trim() ? searchItems(items, wanted).found.slice(0, SHOWN) : []),
    [items, wanted],
  );
  const found = isOpen ? all : [];
  const chosen = found[active];
  // "perm kitsune" asks for its permanent value.
  const mode = modeAskedFor(wanted) ?? "regular";

  function close() {
    setOpen(false);
    setActive(-1);
  }

  function walk(event: KeyboardEvent) {
    if (event.key === "Escape" && found.length > 0) {
      // A second Escape empties the field, as browsers do.
      event.preventDefault();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setOpen(true);
    // One position besides the items: the text itself.
    const places = all.length + 1;
    setActive((at) => ((at + 1 + step + places) % places) - 1);
  }

  function submit(event: FormEvent) {
    if (!chosen) return;
    event.preventDefault();
    void navigate(pathOf(chosen, mode));
  }

  return (
    <search className="hero-search">
      <Form action="/values" onSubmit={submit}>
        <SearchField
          label="Search items"
          name="q"
          placeholder="Search items..."
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen && `${listId}-${chosen.slug}`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={walk}
          onBlur={close}
        />
        <Button type="submit" variant="primary">
          Search
        </Button>
      </Form>
      <div id={listId} role="listbox" aria-label="Items" hidden={found.length === 0} className="hero-found">
        {found.map((item) => (
          <FoundItem
            key={item.slug}
            id={`${listId}-${item.slug}`}
            item={item}
            mode={mode}
            isActive={item === chosen}
          />
        ))}
      </div>
    </search>
  );
}

function pathOf(item: Suggestion, mode: ViewMode): string {
  return `/fruits/${item.slug}${modeQuery(mode)}`;
}

type FoundItemProps = { id: string; item: Suggestion; mode: ViewMode; isActive: boolean };

function FoundItem({ id, item, mode, isActive }: FoundItemProps) {
  return (
    <Link
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      to={pathOf(item, mode)}
      prefetch="intent"
      // Keeps focus in the field; otherwise the list would close before the press arrives.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span translate="no">{item.name}</span>{" "}
      <span className="figures" translate="no">
        <FigureText text={item.values[mode]} />
      </span>
    </Link>
  );
}
