import type { Item } from "#app/features/items/item-queries.ts";
import { formatAge } from "#domain/text/age.ts";
import { titled } from "#domain/text/words.ts";
import { formatPercentage, valueChange } from "#domain/values/value-change.ts";
import { EN_DASH, parseValue } from "#domain/values/value-text.ts";
import { GRID_COLUMNS } from "./model/columns.ts";
import { type Edits, keyOf } from "./model/edits.ts";
import { type GridField, showText } from "./model/fields.ts";

type Shown = { edits: Edits; categories: ReadonlyMap<string, string>; now: number };

/** A cell's text, including its unsaved edit. */
export function showCell(item: Item, column: number, { edits, categories, now }: Shown): string {
  const id = GRID_COLUMNS[column]?.id;
  switch (id) {
    case "name":
      return item.name;
    case "category":
      return categories.get(item.category_id ?? "") ?? "none";
    case "rarity":
      return titled(item.rarity);
    case "change":
      return changeOf(item, "current_value", edits);
    case "permanent_change":
      return changeOf(item, "permanent_value", edits);
    case "checked":
      return edits.get(keyOf(item.id, "checked"))?.text ?? formatAge(item.values_checked_at, now);
    default:
      return showText(
        id as GridField,
        edits.get(keyOf(item.id, id as GridField))?.text ?? item[id as GridField] ?? "",
      );
  }
}

/** How much an edit would change the value; without an edit, what the last change did. */
function changeOf(item: Item, field: "current_value" | "permanent_value", edits: Edits): string {
  const edit = edits.get(keyOf(item.id, field));
  const before =
    field === "current_value" ? item.previous_value_number : item.permanent_previous_value_number;
  const stored = field === "current_value" ? item.current_value_number : item.permanent_value_number;
  const change = edit ? valueChange(parseValue(edit.text), stored) : valueChange(stored, before);
  return change ? formatPercentage(change.percentage) : EN_DASH;
}
