import * as v from "valibot";
import type { Item } from "#app/features/items/item-queries.ts";
import { type FieldDefinition, isCustomField } from "#app/routes/admin/shared/field-definitions.ts";
import { type CustomFields, parseCustomFields } from "#domain/fields/custom-field-input.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import {
  findRangeFaults,
  ITEM_COLUMNS,
  type ItemColumn,
  NEW_ITEM,
  parseItem,
  textsOfItem,
} from "#domain/items/item-input.ts";

/** An item form's values by field name; a checkbox is a boolean, an untouched custom one empty. */
export type FormTexts = Readonly<Record<string, string | boolean>>;

/** The custom fields that the form shows. */
export function customDefinitions(definitions: readonly FieldDefinition[]): FieldDefinition[] {
  return definitions.filter((field) => field.visible && isCustomField(field));
}

/** Whether the form shows a column; one without a definition cannot be hidden (P28). */
export function showsColumn(definitions: readonly FieldDefinition[], column: ItemColumn): boolean {
  return definitions.find(({ name }) => name === column)?.visible ?? true;
}

/** A new item's texts (4.form.01–03). */
export function newTexts(definitions: readonly FieldDefinition[]): FormTexts {
  const custom = customDefinitions(definitions).map(({ name, type }) => [
    name,
    type === "checkbox" ? false : "",
  ]);
  return { ...NEW_ITEM, image_url: "", ...Object.fromEntries(custom) };
}

/** A stored item's texts; without a previous value it shows `N/A` (P26). */
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

/** Parses the form's texts into what is written, without the image; an untouched custom field stays as stored. */
export function itemFormSchema(definitions: readonly FieldDefinition[], stored?: Item) {
  return v.pipe(
    v.custom<FormTexts>(() => true),
    v.rawTransform(({ dataset: { value: texts }, addIssue, NEVER }): Omit<ItemWrite, "image_url"> => {
      const reading = parseItem(Object.fromEntries(ITEM_COLUMNS.map((column) => [column, texts[column]])));
      const custom = parseCustomFields(
        customDefinitions(definitions),
        texts,
        (stored?.custom_fields ?? {}) as CustomFields,
      );
      const faults = Object.entries({
        ...(reading.ok ? findRangeFaults(reading.item, stored) : reading.faults),
        ...custom.faults,
      });
      for (const [key, message] of faults) {
        addIssue({
          message,
          path: [{ type: "unknown", origin: "value", input: texts, key, value: texts[key] }],
        });
      }
      if (!reading.ok || faults.length > 0) return NEVER;
      return { ...reading.item, custom_fields: custom.fields };
    }),
  );
}
