import { type ListSort, SORTS } from "./list-query.ts";

const LABELS: Record<ListSort, string> = {
  value: "Highest value",
  rise: "Biggest rise",
  fall: "Biggest fall",
  demand: "Most wanted",
  name: "Name, A to Z",
  checked: "Last checked",
};

/** The order of the list, as a native select. */
export function SortField({ sort, onChange }: { sort: ListSort; onChange: (sort: ListSort) => void }) {
  return (
    <label className="finder-sort">
      <span className="sr-only">Sort by</span>
      <select
        name="sort"
        className="control"
        value={sort}
        onChange={(event) => onChange(event.target.value as ListSort)}
      >
        {SORTS.map((each) => (
          <option key={each} value={each}>
            {LABELS[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
