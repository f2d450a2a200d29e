import { FIELD_NAMES, type FieldName, type PageConfiguration } from "./field-visibility.ts";

/** The standard fields that the admin area offers for every page, in its order (2.admin.03). */
export const OFFERED_FIELDS = [
  "image",
  "name",
  "category",
  "rarity",
  "type",
  "demand",
  "current_value",
  "previous_value",
  "beli_price",
  "value_change",
] as const satisfies readonly FieldName[];

/**
 * The list to store after showing or hiding one field. Fields that the panel does not offer stay as they were; if
 * nothing was stored, everything was visible.
 */
export function withVisibility(
  configuration: PageConfiguration,
  customFields: readonly string[],
  field: string,
  isShown: boolean,
): string[] {
  const before = configuration ?? [...FIELD_NAMES, ...customFields];
  const others = before.filter((name) => name !== field);
  return isShown ? [...others, field] : others;
}
