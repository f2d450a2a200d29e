import type { ItemColumn } from "#domain/item-input.ts";
import type { FormTexts } from "./item-texts.ts";

/** The value that each previous value was, before it was changed. */
const SOURCES: Partial<Record<ItemColumn, ItemColumn>> = {
  previous_value: "current_value",
  permanent_previous_value: "permanent_value",
};

type UsePreviousProps = {
  column: ItemColumn;
  texts: FormTexts;
  before: FormTexts;
  onChange(field: string, value: string): void;
};

/** Beside a previous value: one press takes over what the value was before this edit. */
export function UsePrevious({ column, texts, before, onChange }: UsePreviousProps) {
  const source = SOURCES[column];
  const value = source && String(before[source] ?? "");
  if (!value || texts[source] === value || texts[column] === value) return null;
  const label = column === "previous_value" ? "Previous Value" : "Permanent Previous Value";
  return (
    <button
      type="button"
      className="link min-h-6 cursor-pointer justify-self-start text-2xs"
      aria-label={`Use ${value} as ${label}`}
      onClick={() => onChange(column, value)}
    >
      Use {value}
    </button>
  );
}
