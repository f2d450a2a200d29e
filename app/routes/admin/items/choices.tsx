import type { Category } from "#app/features/categories/category-queries.ts";
import { titled } from "#domain/text/words.ts";

export type Option = readonly [value: string, label: string];

/** Stored words with their display text. */
export const wordOptions = (words: readonly string[]): Option[] => words.map((word) => [word, titled(word)]);

export const categoryOptions = (categories: readonly Category[]): Option[] =>
  categories.map(({ id, icon, name }) => [id, `${icon} ${name}`.trim()]);

type BareSelectProps = {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose(value: string): void;
};

/** A select in a toolbar, whose first option serves as its visible label. */
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
