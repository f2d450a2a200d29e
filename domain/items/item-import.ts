import {
  type CustomFieldDefinition,
  type CustomFields,
  parseCustomFields,
  readBox,
} from "../fields/custom-field-input.ts";
import { LIMITS } from "../text/limits.ts";
import { defaultSlug } from "../text/slug.ts";
import { isLargeChange, LEDGERED } from "../values/large-change.ts";
import {
  findRangeFaults,
  type ItemFaults,
  type ItemInput,
  type ItemTexts,
  isValueOrNone,
  NEW_ITEM,
  parseItem,
  type StoredColumns,
  storedWord,
  textsOfItem,
} from "./item-input.ts";

/** A complete item to write. */
export type ItemWrite = ItemInput & { image_url: string | null; custom_fields: CustomFields };

/** A catalogue item that an import may change. */
export type StoredItem = StoredColumns & {
  id: string;
  updated_at: string;
  image_url: string | null;
  custom_fields: unknown;
};

/** The existing data that an import is checked against. */
export type ImportContext = {
  items: readonly StoredItem[];
  categories: readonly { id: string; slug: string; name: string }[];
  definitions: readonly CustomFieldDefinition[];
  /** The allowed status words. */
  statuses: readonly string[];
};

/** A line of an import file: cell texts by column name; `fault` if the line could not be parsed. */
export type ImportLine = { line: number; cells: Record<string, string>; fault?: string };

type ImportChange = { field: string; before: string; after: string; isLarge: boolean };

/** A line's effect, or why it has none. */
export type ImportRow = { line: number; slug: string } & (
  | { kind: "refused"; reason: string }
  | { kind: "same" }
  | { kind: "new"; item: ItemWrite }
  | { kind: "changed"; stored: StoredItem; item: ItemWrite; changes: ImportChange[] }
);

/** The columns of a file; the slug identifies the item, and `category` holds a category's slug. */
export const IMPORT_COLUMNS = [
  "slug",
  "name",
  "aliases",
  "category",
  "rarity",
  "type",
  "demand",
  "status",
  "current_value",
  "previous_value",
  "permanent_value",
  "permanent_previous_value",
  "current_low",
  "current_high",
  "permanent_low",
  "permanent_high",
  "beli_price",
  "robux_price",
  "is_permanent",
  "image_url",
] as const;

/**
 * Plans the effect of each line on the catalogue. A line without a slug is about the item of its name, whose slug may be
 * another. A column missing from the file keeps the stored value; an empty cell clears it if that is allowed.
 */
export function planImport(lines: readonly ImportLine[], context: ImportContext): ImportRow[] {
  const stored = new Map(context.items.map((item) => [item.slug, item]));
  const named = Map.groupBy(context.items, ({ name }) => name?.toLowerCase());
  const firstLines = new Map<string, number>();
  function slugOfName(name = ""): string {
    const [item, another] = named.get(name.trim().toLowerCase()) ?? [];
    return item?.slug && !another ? item.slug : defaultSlug(name, LIMITS.item.slug.max);
  }
  return lines.map(({ line, cells, fault }) => {
    const slug = (cells.slug ?? "").trim().toLowerCase() || slugOfName(cells.name);
    const first = firstLines.get(slug);
    if (first !== undefined) {
      return { line, slug, kind: "refused", reason: `Line ${first} is about ${slug} already` };
    }
    if (slug) firstLines.set(slug, line);
    if (fault) return { line, slug, kind: "refused", reason: fault };
    return { line, slug, ...planLine({ ...cells, slug }, stored.get(slug), context) };
  });
}

type LinePlan = ImportRow extends infer Row
  ? Row extends ImportRow
    ? Omit<Row, "line" | "slug">
    : never
  : never;

function planLine(
  cells: Record<string, string>,
  stored: StoredItem | undefined,
  context: ImportContext,
): LinePlan {
  const refused = (reason: string): LinePlan => ({ kind: "refused", reason });
  const before = stored ? textsOfItem(stored) : NEW_LINE;
  const box = readBox(cells.is_permanent ?? "");
  if (box === undefined) return refused("is_permanent must be Yes or No");
  const category_id = findCategoryId(cells.category, before.category_id as string, context);
  const reading = parseItem({
    ...before,
    ...asStored(cells),
    category_id,
    is_permanent: box ?? before.is_permanent,
  });
  const held = (stored?.custom_fields ?? {}) as CustomFields;
  const custom = parseCustomFields(context.definitions, cells, held);
  const status = reading.ok ? reading.item.status : null;
  const faults = Object.values({
    ...(status !== null && !context.statuses.includes(status) && { status: unknownStatus(context) }),
    ...(reading.ok
      ? { ...findValueFaults(reading.item, before), ...findRangeFaults(reading.item, stored) }
      : reading.faults),
    ...custom.faults,
  });
  if (!reading.ok || faults.length > 0) return refused(faults.join("; "));
  const image_url =
    cells.image_url === undefined ? (stored?.image_url ?? null) : cells.image_url.trim() || null;
  if (image_url && !isImageAddress(image_url)) return refused("image_url must be a web address");
  const item = { ...reading.item, image_url, custom_fields: custom.fields };
  if (!stored) return { kind: "new", item };
  const changes = findChanges(stored, item);
  return changes.length > 0 ? { kind: "changed", stored, item, changes } : { kind: "same" };
}

/** The words of a line in their stored form: spreadsheets contain them as the site shows them. */
function asStored(cells: Record<string, string>): Record<string, string> {
  const words = Object.entries(cells).flatMap(([column, text]) => {
    if (column === "status") return [[column, text.toLowerCase()]];
    return isChoice(column) ? [[column, storedWord(text)]] : [];
  });
  return { ...cells, ...Object.fromEntries(words) };
}

const isChoice = (column: string) => column === "rarity" || column === "type" || column === "demand";

const VALUES = [
  "current_value",
  "previous_value",
  "permanent_value",
  "permanent_previous_value",
  "beli_price",
  "robux_price",
] as const;

/** A message for each value that a line sets to something else than a value or N/A. */
function findValueFaults(item: ItemInput, before: ItemTexts): ItemFaults {
  const wrong = VALUES.filter((column) => {
    const text = item[column];
    return text !== null && text !== before[column] && !isValueOrNone(text);
  });
  return Object.fromEntries(
    wrong.map((column) => [
      column,
      `${column} is not a number: 640M, 1.2B and 640,000,000 are, and N/A is an item without a value`,
    ]),
  );
}

function unknownStatus({ statuses }: ImportContext): string {
  return statuses.length > 0 ? `status must be one of ${statuses.join(", ")}` : "There are no status words";
}

/** Defaults of a new item: a value is required, and there is no previous value (P26). */
const NEW_LINE: ItemTexts = {
  ...NEW_ITEM,
  current_value: "",
  previous_value: "N/A",
  permanent_value: "",
  permanent_previous_value: "",
  beli_price: "",
  robux_price: "",
};

/** Finds a category by slug or name; an unknown word is passed on and rejected by validation. */
function findCategoryId(cell: string | undefined, stored: string, { categories }: ImportContext): string {
  if (cell === undefined) return stored;
  const word = cell.trim().toLowerCase();
  return categories.find(({ slug, name }) => slug === word || name.toLowerCase() === word)?.id ?? word;
}

function isImageAddress(text: string): boolean {
  return /^(https?:\/\/|\/)/.test(text) && text.length <= 2048;
}

function findChanges(stored: StoredItem, item: ItemWrite): ImportChange[] {
  const { custom_fields: held, ...columns } = item;
  const custom = { ...(stored.custom_fields as CustomFields), ...held };
  const compared: [field: string, before: unknown, after: unknown][] = [
    ...Object.entries(columns).map(
      ([field, after]) => [field, stored[field as keyof StoredItem], after] as [string, unknown, unknown],
    ),
    ...Object.keys(custom).map(
      (key) => [key, (stored.custom_fields as CustomFields)[key], held[key]] as [string, unknown, unknown],
    ),
  ];
  return compared
    .filter(([, before, after]) => (before ?? "") !== (after ?? ""))
    .map(([field, before, after]) => ({
      field,
      before: String(before ?? ""),
      after: String(after ?? ""),
      isLarge:
        LEDGERED.some((each) => each === field) && isLargeChange(String(before ?? ""), String(after ?? "")),
    }));
}
