import type { Item } from "#app/features/items/item-queries.ts";
import { type CustomFields, parseCustomFields } from "#domain/custom-field-input.ts";
import type { ItemWrite } from "#domain/item-import.ts";
import {
  ITEM_COLUMNS,
  type ItemColumn,
  type ItemFaults,
  NEW_ITEM,
  parseItem,
  textsOfItem,
} from "#domain/item-input.ts";
import type { FieldDefinition } from "../admin/field-definitions.ts";

/** What an item form holds by the names of its fields; a box is a boolean, an untouched custom one empty. */
export type FormTexts = Readonly<Record<string, string | boolean>>;

/** The custom fields that the form shows. */
export function customDefinitions(definitions: readonly FieldDefinition[]): FieldDefinition[] {
  return definitions.filter(({ name, visible }) => visible && name.startsWith("custom_"));
}

/** Whether the form shows a column; one without a definition cannot be hidden (decision 28). */
export function showsColumn(definitions: readonly FieldDefinition[], column: ItemColumn): boolean {
  return definitions.find(({ name }) => name === column)?.visible ?? true;
}

/** A new item's texts (specification §4). */
export function newTexts(definitions: readonly FieldDefinition[]): FormTexts {
  const custom = customDefinitions(definitions).map(({ name, type }) => [
    name,
    type === "checkbox" ? false : "",
  ]);
  return { ...NEW_ITEM, image_url: "", ...Object.fromEntries(custom) };
}

/** A stored item's texts; one that had no previous value gets `N/A` (decision 26). */
export function storedTexts(item: Item, definitions: readonly FieldDefinition[]): FormTexts {
  const stored = item.custom_fields as CustomFields;
  const custom = customDefinitions(definitions).map(({ name, type }) => {
    const value = stored[name];
    return [name, type === "checkbox" && typeof value === "boolean" ? value : String(value ?? "")];
  });
  return {
    ...textsOfItem(item),
    image_url: item.image_url ?? "",
    previous_value: item.previous_value.trim() || "N/A",
    ...Object.fromEntries(custom),
  };
}

/** What is written for these texts, without the image, or the sentence of each refused field. */
export function readTexts(
  texts: FormTexts,
  definitions: readonly FieldDefinition[],
  stored?: Item,
): { ok: true; item: Omit<ItemWrite, "image_url"> } | { ok: false; faults: ItemFaults } {
  const reading = parseItem(Object.fromEntries(ITEM_COLUMNS.map((column) => [column, texts[column]])));
  const custom = parseCustomFields(
    customDefinitions(definitions),
    texts,
    (stored?.custom_fields ?? {}) as CustomFields,
  );
  const faults = { ...(reading.ok ? {} : reading.faults), ...custom.faults };
  if (!reading.ok || Object.keys(faults).length > 0) return { ok: false, faults };
  return { ok: true, item: { ...reading.item, custom_fields: custom.fields } };
}
