import type { Item } from "#app/features/items/item-queries.ts";
import { DEMANDS } from "#domain/items/demand.ts";
import { isValueOrNone, storedWord } from "#domain/items/item-input.ts";
import { LIMITS, lengthOf } from "#domain/text/limits.ts";
import { typedNumber } from "#domain/text/typed-number.ts";
import { titled } from "#domain/text/words.ts";
import { EN_DASH, parseValue } from "#domain/values/value-text.ts";

/** What can be edited in the grid. `checked` marks that an item's values are still right. */
export type GridField =
  | "demand"
  | "current_value"
  | "permanent_value"
  | "beli_price"
  | "robux_price"
  | RangeField;
type RangeField = "current_low" | "current_high" | "permanent_low" | "permanent_high";
export type CellField = GridField | "checked";

/** The text of a cell marked as still right. */
export const STILL_RIGHT = "still right";

const CHOICES: Partial<Record<CellField, readonly string[]>> = { demand: DEMANDS };

/** The words that a field allows; null if it accepts any text. */
export function choicesOf(field: CellField): readonly string[] | null {
  return CHOICES[field] ?? null;
}

/** What the catalogue holds, as it would be typed; a check is of the value. */
export function storedText(item: Item, field: CellField): string {
  return item[field === "checked" ? "current_value" : field] ?? "";
}

/** Converts typed text to its stored form: `very high` becomes `very_high`. Unrecognized text stays unchanged. */
export function readTyped(field: CellField, typed: string): string {
  const text = typedNumber(typed);
  const word = storedWord(text);
  return choicesOf(field)?.find((choice) => choice === word) ?? text;
}

/** Why a text can't be published; null if it can (P121). */
export function faultOf(field: CellField, text: string): string | null {
  const choices = choicesOf(field);
  if (choices) return choices.includes(text) ? null : `One of ${choices.map(titled).join(", ")}`;
  if (field === "checked") return null;
  if (text === "") return field === "current_value" ? "Value is required" : null;
  if (lengthOf(text) > LIMITS.item.valueText.max) return "Value is too long";
  if (isRange(field)) return parseValue(text) === null ? "Not a number. Empty is none" : null;
  if (!isValueOrNone(text))
    return "Not a number. 640M, 1.2B and 640,000,000 are; N/A is an item without a value";
  return null;
}

/** An end of an editor's range, which is optional. */
export const isRange = (field: CellField): field is RangeField => /_(low|high)$/.test(field);

/** A text in its display form. */
export function showText(field: CellField, text: string): string {
  if (text === "") return EN_DASH;
  return choicesOf(field)?.includes(text) ? titled(text) : text;
}
