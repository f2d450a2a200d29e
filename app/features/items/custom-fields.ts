import { customFieldLabel, customFieldsOf, formatCustomFieldValue } from "#domain/fields/custom-field.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import type { CustomFieldLabels } from "./field-definition-queries.ts";

/** A custom field of an item as shown on a page. */
export type ShownField = { key: string; label: string; text: string };

/**
 * The custom fields of an item that a page shows, in the order of their definitions. A field without a definition was
 * removed and is hidden (P40); if the definitions could not be read, keys serve as labels.
 */
export function shownCustomFields(
  stored: unknown,
  labels: CustomFieldLabels | null,
  configuration: PageConfiguration,
): ShownField[] {
  const order = labels && Object.keys(labels);
  return customFieldsOf(stored)
    .filter(([key]) => isVisible(configuration, key) && (!order || order.includes(key)))
    .sort(([a], [b]) => (order ? order.indexOf(a) - order.indexOf(b) : 0))
    .map(([key, value]) => ({
      key,
      label: labels?.[key] ?? customFieldLabel(key),
      text: formatCustomFieldValue(value),
    }));
}
