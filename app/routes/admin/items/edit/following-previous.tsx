import type { FormTexts } from "#app/routes/admin/items/edit/item-texts.ts";
import type { ItemColumn } from "#domain/items/item-input.ts";
import { parseValue } from "#domain/values/value-text.ts";

/** The value that each previous value follows. */
const SOURCES: Partial<Record<ItemColumn, ItemColumn>> = {
  previous_value: "current_value",
  permanent_previous_value: "permanent_value",
};

type FollowingPreviousProps = { column: ItemColumn; texts: FormTexts; before: FormTexts };

/** Under a previous value that is left as it was: what the database makes of it, now that its value changes. */
export function FollowingPrevious({ column, texts, before }: FollowingPreviousProps) {
  const source = SOURCES[column];
  if (!source || texts[column] !== before[column]) return null;
  const [from, to] = [String(before[source] ?? ""), String(texts[source] ?? "")];
  if (parseValue(from) === parseValue(to) || from === texts[column]) return null;
  return <span className="text-2xs text-muted">Will be {from || "empty"}, the value until now</span>;
}
