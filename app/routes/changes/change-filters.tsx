import type { ReactNode } from "react";
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
      <Choice name="kind" label="Kind" any="All kinds" value={query.kind}>
        {CHANGE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {titled(kind)}
          </option>
        ))}
      </Choice>
      <Choice name="category" label="Category" any="All categories" value={query.category}>
        {categories.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice name="mode" label="Mode" any="Both modes" value={query.mode}>
        {VIEW_MODES.map((mode) => (
          <option key={mode} value={mode}>
            {VIEW_MODE_LABELS[mode]}
          </option>
        ))}
      </Choice>
      <Choice name="size" label="Size" any="Any size" value={query.size}>
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {size}% or more
          </option>
        ))}
      </Choice>
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
  children: ReactNode;
};

function Choice({ name, label, any, value, children }: ChoiceProps) {
  return (
    <label>
      <span className="sr-only">{label}</span>
      <select name={name} className="control" defaultValue={value ?? ""}>
        <option value="">{any}</option>
        {children}
      </select>
    </label>
  );
}
