import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { titled } from "#domain/text/words.ts";
import { VIEW_MODE_LABELS, VIEW_MODES } from "#domain/values/view-mode.ts";
import { CHANGE_KINDS, type ChangeQuery, formatChangeQuery, SIZES } from "./change-query.ts";

type ChangeFiltersProps = { query: ChangeQuery; categories: readonly { slug: string; name: string }[] };

/** A plain form, which works without scripts. */
export function ChangeFilters({ query, categories }: ChangeFiltersProps) {
  return (
    // The key resets the fields when the query changes, also on Back.
    <Form key={formatChangeQuery(query)} action="/changes" preventScrollReset className="changes-filters">
      <search>
        <SearchField
          label="Item"
          name="item"
          placeholder="Any item"
          maxLength={100}
          defaultValue={query.item}
        />
      </search>
      <Choice
        name="kind"
        label="Kind"
        any="All kinds"
        value={query.kind}
        options={CHANGE_KINDS.map((kind) => [kind, titled(kind)])}
      />
      <Choice
        name="category"
        label="Category"
        any="All categories"
        value={query.category}
        options={categories.map(({ slug, name }) => [slug, name])}
      />
      <Choice
        name="mode"
        label="Mode"
        any="Both modes"
        value={query.mode}
        options={VIEW_MODES.map((mode) => [mode, VIEW_MODE_LABELS[mode]])}
      />
      <Choice
        name="size"
        label="Size"
        any="Any size"
        value={query.size}
        options={SIZES.map((size) => [size, `${size}% or more`])}
      />
      <Button type="submit">Show</Button>
    </Form>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  /** The label for no choice. */
  any: string;
  value: string | number | null;
  options: readonly (readonly [value: string | number, label: string])[];
};

function Choice({ name, label, any, value, options }: ChoiceProps) {
  return (
    <label>
      <span className="sr-only">{label}</span>
      <select name={name} className="control" defaultValue={value ?? ""}>
        <option value="">{any}</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
