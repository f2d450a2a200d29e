import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { keepFilters, readFilters, type SavedFilter } from "./kept-grid.ts";
import { countNarrowed, type GridFilter, NO_FILTER } from "./model/filter.ts";

type SavedFiltersProps = { filter: GridFilter; onChoose(filter: GridFilter): void };

/** Filters saved under a name, in this browser. */
export function SavedFilters({ filter, onChoose }: SavedFiltersProps) {
  const [saved, setSaved] = useState(readFilters);
  const [name, setName] = useState<string | null>(null);
  const current = saved.find((each) => JSON.stringify(each.filter) === JSON.stringify(filter));
  const isNarrowed = countNarrowed(filter) > 0;

  function keep(next: SavedFilter[]): void {
    setSaved(next);
    keepFilters(next);
  }
  function save(): void {
    const called = name?.trim();
    if (called) keep([...saved.filter((each) => each.name !== called), { name: called, filter }]);
    setName(null);
  }

  return (
    <span className="flex flex-wrap gap-1.5">
      {saved.length > 0 && (
        <select
          aria-label="Saved filters"
          className="control"
          value={current?.name ?? ""}
          onChange={({ target }) =>
            onChoose(saved.find((each) => each.name === target.value)?.filter ?? NO_FILTER)
          }
        >
          <option value="">Saved filters…</option>
          {saved.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      )}
      {name !== null && (
        <input
          type="text"
          className="control"
          aria-label="Name of the filter"
          placeholder="Name of the filter"
          maxLength={40}
          // biome-ignore lint/a11y/noAutofocus: it appears because its button was pressed
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={({ key }) => {
            if (key === "Enter") save();
            if (key === "Escape") setName(null);
          }}
        />
      )}
      {isNarrowed && !current && (
        <Button size="sm" onClick={name === null ? () => setName("") : save}>
          {name === null ? "Save filter" : "Save"}
        </Button>
      )}
      {current && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Forget the filter ${current.name}`}
          onClick={() => keep(saved.filter((each) => each !== current))}
        >
          Forget
        </Button>
      )}
      {isNarrowed && (
        <Button size="sm" variant="ghost" onClick={() => onChoose(NO_FILTER)}>
          Show all
        </Button>
      )}
    </span>
  );
}
