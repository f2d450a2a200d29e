/** The pages whose fields an admin can show and hide (3.pageconfig.02). */
export const CONFIGURED_PAGES = ["values", "calculator", "fruit_detail", "trade_history"] as const;
export type ConfiguredPage = (typeof CONFIGURED_PAGES)[number];

/** The standard fields that pages check (3.pageconfig.04); all others are keys of custom fields. */
export const FIELD_NAMES = [
  "image",
  "name",
  "category",
  "rarity",
  "demand",
  "type",
  "current_value",
  "previous_value",
  "beli_price",
  "value_change",
  "is_permanent",
] as const;
export type FieldName = (typeof FIELD_NAMES)[number] | `custom_${string}`;

/** The visible fields of one page; null if nothing was saved, and then everything is visible (7.read.03). */
export type PageConfiguration = readonly string[] | null;

/** Whether a page shows a field. */
export function isVisible(configuration: PageConfiguration, field: FieldName): boolean {
  return configuration?.includes(field) ?? true;
}
