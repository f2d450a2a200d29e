import * as v from "valibot";
import { LIMITS, lengthOf } from "../text/limits.ts";
import { atMost } from "../text/text-schema.ts";
import { customFieldKey } from "./custom-field.ts";

/** The types of a custom field (3.fieldconfig.03). */
export const FIELD_TYPES = ["text", "select", "number", "checkbox"] as const;

const { name, options } = LIMITS.customField;

/** The parts of an existing field that a new one must not duplicate. */
type KnownField = { name: string; label: string };

/** The form for a new custom field, with one option per line (5.customfield.01–03, P40). */
export function newCustomFieldSchema(known: readonly KnownField[]) {
  return v.pipe(
    v.object({
      label: v.pipe(
        v.string(),
        v.normalize("NFC"),
        v.trim(),
        v.nonEmpty("Field name is required"),
        atMost(name.max, `Field name must be at most ${name.max} characters`),
        v.regex(/^[\p{L}\p{M}\p{N} ]+$/u, "Field name must only contain letters, numbers, and spaces"),
        v.check((text) => !isTaken(text, known), "A field with this name already exists"),
      ),
      type: v.picklist(FIELD_TYPES, "Invalid type"),
      options: v.pipe(v.optional(v.string(), ""), v.transform(readOptions)),
    }),
    v.forward(
      v.check(
        (field) => field.type !== "select" || field.options.length > 0,
        "A select needs at least one option",
      ),
      ["options"],
    ),
    v.forward(
      v.check(
        (field) =>
          field.options.length <= options.max && lengthOf(field.options.join("")) <= options.maxLength,
        `At most ${options.max} options, ${options.maxLength} characters together`,
      ),
      ["options"],
    ),
    v.transform(({ label, type, options: words }) => ({
      name: customFieldKey(label),
      label,
      type,
      options: type === "select" ? words : [],
    })),
  );
}

export type NewCustomField = v.InferOutput<ReturnType<typeof newCustomFieldSchema>>;

/** `Origin` and `origin` would share a key; a custom `Slug` would be indistinguishable from the standard one. */
function isTaken(label: string, known: readonly KnownField[]): boolean {
  const same = (field: KnownField) =>
    field.name === customFieldKey(label) || field.label.toLowerCase() === label.toLowerCase();
  return known.some(same);
}

function readOptions(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== "");
}
