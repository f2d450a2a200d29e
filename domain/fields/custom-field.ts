import { titled } from "../text/words.ts";

/** The possible values of an item's custom field (3.item.03). */
export type CustomFieldValue = string | number | boolean;

const PREFIX = "custom_";

/** The key of a custom field: `Trade Volume` → `custom_trade_volume` (4.custom.01). */
export function customFieldKey(name: string): `custom_${string}` {
  return `${PREFIX}${name.trim().toLowerCase().replaceAll(" ", "_")}`;
}

/** The label of a key whose definition is unavailable: `custom_trade_volume` → `Trade Volume`. */
export function customFieldLabel(key: string): string {
  return titled(key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key);
}

/** A boolean becomes Yes or No (P40). */
export function formatCustomFieldValue(value: CustomFieldValue): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return String(value);
}

/** An item's custom fields in stored order; other entries are left out. */
export function customFieldsOf(stored: unknown): [key: `custom_${string}`, value: CustomFieldValue][] {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return [];
  return Object.entries(stored).filter(
    (entry): entry is [`custom_${string}`, CustomFieldValue] =>
      entry[0].startsWith(PREFIX) &&
      ["string", "number", "boolean"].includes(typeof entry[1]) &&
      entry[1] !== "",
  );
}
