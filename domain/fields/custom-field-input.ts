import { typedNumber } from "../text/typed-number.ts";
import type { CustomFieldValue } from "./custom-field.ts";

/** The parts of a custom field's definition needed to validate it. */
export type CustomFieldDefinition = {
  name: string;
  label: string;
  type: string;
  options: readonly string[];
  required: boolean;
};

export type CustomFields = Record<string, CustomFieldValue>;

/**
 * Parses typed custom fields, by key, into the values that an item stores. Fields absent from the form keep their
 * stored value; an emptied field is removed. Returns the message for each invalid field.
 */
export function parseCustomFields(
  definitions: readonly CustomFieldDefinition[],
  typed: Record<string, unknown>,
  stored: Readonly<CustomFields> = {},
): { fields: CustomFields; faults: Record<string, string> } {
  const fields: CustomFields = { ...stored };
  const faults: Record<string, string> = {};
  for (const definition of definitions) {
    const { name } = definition;
    if (typed[name] === undefined) continue;
    const value = parseCustomField(definition, typed[name], stored[name]);
    if (value === null) delete fields[name];
    else if (typeof value === "object") faults[name] = value.fault;
    else fields[name] = value;
  }
  return { fields, faults };
}

/** Null if empty. */
function parseCustomField(
  { label, type, options, required }: CustomFieldDefinition,
  typed: unknown,
  stored: CustomFieldValue | undefined,
): CustomFieldValue | { fault: string } | null {
  if (type === "checkbox") return parseBox(label, typed);
  const text = type === "number" ? typedNumber(String(typed)) : String(typed).trim();
  if (text === "") return required ? { fault: `${label} is required` } : null;
  if (type === "number")
    return Number.isFinite(Number(text)) ? Number(text) : { fault: `${label} must be a number` };
  // A stored choice may stay after its option was removed.
  if (type === "select" && !options.includes(text) && text !== stored) return { fault: `Invalid ${label}` };
  return text;
}

const BOXES = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);

/**
 * Whether a checkbox is checked, from a boolean or a word; null if nothing was given, undefined for an unknown word.
 */
export function readBox(typed: unknown): boolean | null | undefined {
  const word = String(typed).trim().toLowerCase();
  return word === "" ? null : BOXES.get(word);
}

function parseBox(label: string, typed: unknown): boolean | { fault: string } | null {
  const box = readBox(typed);
  return box === undefined ? { fault: `${label} must be Yes or No` } : box;
}
