import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { defaultSlug, SLUG_PATTERN } from "../text/slug.ts";
import { atMost } from "../text/text-schema.ts";
import { typedNumber } from "../text/typed-number.ts";
import { parseValue } from "../values/value-text.ts";
import { DEMANDS } from "./demand.ts";
import { ITEM_TYPES } from "./item-type.ts";
import { RARITIES } from "./rarity.ts";

const limits = LIMITS.item;

/** An item's fields, with the message for each invalid one (5.item.01–12, P26 and P32). */
const itemSchema = v.object({
  name: v.pipe(
    text(),
    v.nonEmpty("Name is required"),
    atMost(limits.name.max, `Name must be less than ${limits.name.max} characters`),
  ),
  slug: v.pipe(
    text(),
    v.nonEmpty("Slug is required: this name has no letters or digits to make one of"),
    v.regex(SLUG_PATTERN, "Slug must only contain lowercase letters, numbers, and hyphens"),
    atMost(limits.slug.max, `Slug must be at most ${limits.slug.max} characters`),
  ),
  aliases: v.pipe(
    text(),
    atMost(limits.aliases.max, `Other names must be at most ${limits.aliases.max} characters in all`),
  ),
  category_id: v.pipe(v.string("Invalid category"), v.uuid("Invalid category")),
  rarity: v.picklist(RARITIES, "Invalid rarity"),
  type: v.picklist(ITEM_TYPES, "Invalid type"),
  demand: v.picklist(DEMANDS, "Invalid demand level"),
  status: v.pipe(
    text(),
    v.transform((word) => word || null),
  ),
  current_value: neededValue(),
  previous_value: neededValue(),
  permanent_value: optionalValue(),
  permanent_previous_value: optionalValue(),
  current_low: optionalValue(),
  current_high: optionalValue(),
  permanent_low: optionalValue(),
  permanent_high: optionalValue(),
  beli_price: optionalValue(),
  robux_price: optionalValue(),
  is_permanent: v.boolean(),
});

/** A validated item, without its image and custom fields. */
export type ItemInput = v.InferOutput<typeof itemSchema>;
export type ItemColumn = keyof ItemInput;

/** In form order. */
export const ITEM_COLUMNS = Object.keys(itemSchema.entries) as ItemColumn[];

/** The contents of a form or an import row: texts, and checkbox states. */
export type ItemTexts = Record<ItemColumn, string | boolean>;

/** The first message of each invalid field, in form order. */
export type ItemFaults = Record<string, string>;

/** Initial contents of the add form (4.form.01–02). */
export const NEW_ITEM: Readonly<ItemTexts> = {
  name: "",
  slug: "",
  aliases: "",
  category_id: "",
  rarity: "common",
  type: "fruit",
  demand: "medium",
  status: "",
  current_value: "0",
  previous_value: "0",
  permanent_value: "0",
  permanent_previous_value: "0",
  current_low: "",
  current_high: "",
  permanent_low: "",
  permanent_high: "",
  beli_price: "0",
  robux_price: "0",
  is_permanent: false,
};

/**
 * Parses form texts as an item; an empty slug defaults to one made from the name, and an empty optional value to null.
 */
export function parseItem(
  texts: Record<string, unknown>,
): { ok: true; item: ItemInput } | { ok: false; faults: ItemFaults } {
  const slug = String(texts.slug ?? "").trim() || defaultSlug(String(texts.name ?? ""), limits.slug.max);
  const result = v.safeParse(itemSchema, { ...texts, slug });
  if (result.success) return { ok: true, item: result.output };
  const faults: ItemFaults = {};
  for (const issue of result.issues) faults[String(issue.path?.[0]?.key)] ??= issue.message;
  // Without a name there is no default slug, so only the name is reported.
  if (faults.name && !texts.slug) delete faults.slug;
  return { ok: false, faults };
}

/** The limits of an editor's ranges, with the value that each range must contain. */
const ENDS = [
  ["current_low", "current_value", -1, "At most the value"],
  ["current_high", "current_value", 1, "At least the value"],
  ["permanent_low", "permanent_value", -1, "At most the permanent value"],
  ["permanent_high", "permanent_value", 1, "At least the permanent value"],
] as const;

/**
 * A message for each limit that excludes its value. A mode whose range is the same as in `before` is skipped: a range
 * that does not contain the new value is dropped together with the old value.
 */
export function findRangeFaults(item: ItemInput, before?: Partial<StoredColumns>): ItemFaults {
  const faults: ItemFaults = {};
  for (const [end, value, side, sentence] of ENDS) {
    const isLeft = ENDS.every(([each, of]) => of !== value || (before?.[each] || null) === item[each]);
    const [bound, number] = [parseValue(item[end]), parseValue(item[value])];
    if (item[end] === null || (before && isLeft)) continue;
    if (bound === null || number === null || (bound - number) * side < 0) faults[end] = sentence;
  }
  return faults;
}

function text() {
  return v.pipe(v.optional(v.string(), ""), v.trim());
}

function valueText() {
  return v.pipe(v.optional(v.string(), ""), v.transform(typedNumber));
}

function neededValue() {
  return v.pipe(
    valueText(),
    v.nonEmpty("Value is required"),
    atMost(limits.valueText.max, "Value is too long"),
  );
}

function optionalValue() {
  return v.pipe(
    valueText(),
    atMost(limits.valueText.max, "Value is too long"),
    v.transform((value) => value || null),
  );
}

/** An item's columns as stored in the catalogue. */
export type StoredColumns = {
  [Column in ItemColumn]: Column extends "is_permanent" ? boolean : string | null;
};

/** A stored item as form texts. */
export function textsOfItem(item: StoredColumns): ItemTexts {
  return Object.fromEntries(ITEM_COLUMNS.map((column) => [column, item[column] ?? ""])) as ItemTexts;
}

/** A word as people write it, in its stored form (`Very High` → `very_high`). */
export function storedWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

/**
 * Whether a text is a value or N/A, which is an item without one. Sheets are held to this (P121), since a decimal comma
 * would otherwise quietly turn a price into none.
 */
export function isValueOrNone(text: string): boolean {
  return parseValue(text) !== null || text.trim().toUpperCase() === "N/A";
}
