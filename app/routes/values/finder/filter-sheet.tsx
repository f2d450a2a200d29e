import { Button } from "#app/ui/button.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { DEMANDS } from "#domain/items/demand.ts";
import { ITEM_TYPES } from "#domain/items/item-type.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import { titled } from "#domain/text/words.ts";
import { countFacets, type Facets, NO_FACETS } from "./list-query.ts";

const SHEET_ID = "filters";

const GROUPS: { name: keyof Facets; legend: string; words: readonly string[] }[] = [
  { name: "rarity", legend: "Rarity", words: RARITIES },
  { name: "demand", legend: "Demand", words: DEMANDS },
  { name: "kind", legend: "Kind", words: ITEM_TYPES },
];

type FilterSheetProps = {
  facets: Facets;
  onChoose: (change: Partial<Facets>) => void;
  /** The number of matching items; null while unknown. */
  count: number | null;
};

/**
 * The button with the number of active filters, and the sheet that it opens. The sheet is a native popover: it opens
 * without scripts, closes on Escape or a tap outside, and returns focus; without scripts its last button submits the
 * form.
 */
export function FilterSheet({ facets, onChoose, count }: FilterSheetProps) {
  const active = countFacets(facets);
  return (
    <>
      <Button popoverTarget={SHEET_ID} className="filter-button">
        <LineIcon path="M2 4.500h14M4.500 9h9M7 13.500h4" />
        Filters
        {active > 0 && (
          <span className="filter-count">
            {active}
            <span className="sr-only"> on</span>
          </span>
        )}
      </Button>
      <div id={SHEET_ID} popover="auto" role="dialog" aria-label="Filters" className="filter-sheet">
        {GROUPS.map(({ name, legend, words }) => (
          <fieldset key={name}>
            <legend>{legend}</legend>
            <div className="flex flex-wrap gap-1.5">
              {words.map((word) => (
                <Choice key={word} name={name} word={word} chosen={facets[name]} onChoose={onChoose} />
              ))}
            </div>
          </fieldset>
        ))}
        <div className="filter-foot">
          <Button variant="ghost" aria-disabled={active === 0} onClick={() => onChoose(NO_FACETS)}>
            Clear filters
          </Button>
          <Button
            type="submit"
            variant="primary"
            onClick={(event) => event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
          >
            {count === 1 ? "Show 1 item" : `Show ${count === null ? "" : `${count} `}items`}
          </Button>
        </div>
      </div>
    </>
  );
}

type ChoiceProps = {
  name: keyof Facets;
  word: string;
  chosen: readonly string[];
  onChoose: (change: Partial<Facets>) => void;
};

function Choice({ name, word, chosen, onChoose }: ChoiceProps) {
  const isOn = chosen.includes(word);
  const toggled = isOn ? chosen.filter((each) => each !== word) : [...chosen, word];
  return (
    <label className="filter-choice">
      <input
        type="checkbox"
        name={name}
        value={word}
        checked={isOn}
        onChange={() => onChoose({ [name]: toggled })}
      />
      {titled(word)}
    </label>
  );
}
