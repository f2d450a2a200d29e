import type { FieldDefinition } from "#app/routes/admin/shared/field-definitions.ts";
import type { ItemColumn } from "#domain/items/item-input.ts";
import { titled } from "#domain/text/words.ts";

const LABELS: Record<ItemColumn | "image_url", string> = {
  name: "Name",
  slug: "Slug",
  aliases: "Other names",
  category_id: "Category",
  rarity: "Rarity",
  type: "Type",
  demand: "Demand",
  status: "Status",
  current_value: "Current Value",
  previous_value: "Previous Value",
  permanent_value: "Permanent Value",
  permanent_previous_value: "Permanent Previous Value",
  current_low: "Lowest",
  current_high: "Highest",
  permanent_low: "Permanent Lowest",
  permanent_high: "Permanent Highest",
  beli_price: "Beli Price",
  robux_price: "Robux Price",
  is_permanent: "Permanent item",
  image_url: "Image",
};

/** The label of an item's field, in the form and wherever its changes are shown. */
export function labelOf(field: string, definitions: readonly FieldDefinition[] = []): string {
  if (field in LABELS) return LABELS[field as ItemColumn];
  return definitions.find(({ name }) => name === field)?.label ?? titled(field.replace(/^custom_/, ""));
}
