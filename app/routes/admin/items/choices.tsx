import type { Category } from "#app/features/categories/category-queries.ts";
import { titled } from "#domain/text/words.ts";

/** What can be chosen, and what it is called. */
export type Option = readonly [value: string, label: string];

/** Stored words as they are read. */
export const wordOptions = (words: readonly string[]): Option[] => words.map((word) => [word, titled(word)]);

export const categoryOptions = (categories: readonly Category[]): Option[] =>
  categories.map(({ id, icon, name }) => [id, `${icon} ${name}`.trim()]);

type BareSelectProps = {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose(value: string): void;
};

/** A choice in a row of others, whose label stands in its first option for those who see it. */
export function BareSelect({ label, value, options, onChoose }: BareSelectProps) {
  return (
    <select
      aria-label={label}
      className="control"
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}
