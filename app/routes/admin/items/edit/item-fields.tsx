import type { Category } from "#app/features/categories/category-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { categoryOptions, type Option, wordOptions } from "#app/routes/admin/items/choices.tsx";
import { listStatusWords, type StatusWord } from "#app/routes/admin/items/status/status-queries.ts";
import type { FieldDefinition } from "#app/routes/admin/shared/field-definitions.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { DEMANDS } from "#domain/items/demand.ts";
import { ITEM_COLUMNS, type ItemColumn } from "#domain/items/item-input.ts";
import { ITEM_TYPES } from "#domain/items/item-type.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { defaultSlug } from "#domain/text/slug.ts";
import { parseValue } from "#domain/values/value-text.ts";
import { type FieldValue, ItemField } from "./item-field.tsx";
import { customDefinitions, type FormTexts, showsColumn } from "./item-texts.ts";

type ItemFieldsProps = {
  texts: FormTexts;
  onChange(field: string, value: FieldValue): void;
  categories: readonly Category[];
  definitions: readonly FieldDefinition[];
  /** The texts before the edit: previous values follow their values. */
  before?: FormTexts;
};

/** All fields of an item that Field Settings show, then the custom ones (2.admin.06). */
export function ItemFields({ texts, onChange, categories, definitions, before }: ItemFieldsProps) {
  const common = (name: string) => ({
    name,
    label: labelOf(name, definitions),
    value: texts[name] ?? "",
    onChange: (value: FieldValue) => onChange(name, value),
  });
  const { data: statuses } = useRead(["status_words"], listStatusWords);
  return (
    <>
      {ITEM_COLUMNS.filter((column) => showsColumn(definitions, column)).map((column) => (
        <ItemField
          key={column}
          {...common(column)}
          isBox={column === "is_permanent"}
          options={optionsOf(column, categories, statuses ?? [])}
          required={REQUIRED.has(column)}
          placeholder={placeholderOf(column, texts)}
          className={column === "name" ? "item-field-wide" : ""}
        >
          {before && <FollowingPrevious {...{ column, texts, before }} />}
          {before && <DroppedEnd {...{ column, texts, before }} />}
        </ItemField>
      ))}
      {customDefinitions(definitions).map(({ name, type, options, required }) => (
        <ItemField
          key={name}
          {...common(name)}
          isBox={type === "checkbox"}
          isNumber={type === "number"}
          required={required}
          options={type === "select" ? [["", "–"], ...options.map((each) => [each, each] as const)] : null}
        />
      ))}
    </>
  );
}

const REQUIRED: ReadonlySet<ItemColumn> = new Set(["name", "category_id", "current_value", "previous_value"]);

function placeholderOf(column: ItemColumn, texts: FormTexts): string | undefined {
  if (column === "slug") return defaultSlug(String(texts.name), LIMITS.item.slug.max);
  return /_(low|high)$/.test(column) ? "Automatic" : undefined;
}

const CHOICES: Partial<Record<ItemColumn, readonly Option[]>> = {
  rarity: wordOptions(RARITIES),
  type: wordOptions(ITEM_TYPES),
  demand: wordOptions(DEMANDS),
};

function optionsOf(
  column: ItemColumn,
  categories: readonly Category[],
  statuses: readonly StatusWord[],
): readonly Option[] | null {
  if (column === "status") return [["", "–"], ...wordOptions(statuses.map(({ word }) => word))];
  return column === "category_id" ? categoryOptions(categories) : (CHOICES[column] ?? null);
}

/** The value that each previous value follows. */
const SOURCES: Partial<Record<ItemColumn, ItemColumn>> = {
  previous_value: "current_value",
  permanent_previous_value: "permanent_value",
};

/** The value to which each end of a range belongs. */
const VALUES_OF: Partial<Record<ItemColumn, [value: ItemColumn, low: ItemColumn, high: ItemColumn]>> = {
  current_low: ["current_value", "current_low", "current_high"],
  current_high: ["current_value", "current_low", "current_high"],
  permanent_low: ["permanent_value", "permanent_low", "permanent_high"],
  permanent_high: ["permanent_value", "permanent_low", "permanent_high"],
};

/** A hint below an unchanged range that does not contain the new value: the database drops it. */
function DroppedEnd({ column, texts, before }: FollowingPreviousProps) {
  const [value, low, high] = VALUES_OF[column] ?? [];
  if (!value || !low || !high || !texts[column]) return null;
  const number = parseValue(String(texts[value] ?? ""));
  if (texts[low] !== before[low] || texts[high] !== before[high] || texts[value] === before[value])
    return null;
  const [least, most] = [parseValue(String(texts[low])), parseValue(String(texts[high]))];
  const holds = number !== null && (least ?? number) <= number && (most ?? number) >= number;
  return holds ? null : (
    <span className="text-2xs text-muted">Will be dropped: it does not hold the new value</span>
  );
}

type FollowingPreviousProps = { column: ItemColumn; texts: FormTexts; before: FormTexts };

/** A hint below an unchanged previous value: what the database sets it to, since its value changes. */
function FollowingPrevious({ column, texts, before }: FollowingPreviousProps) {
  const source = SOURCES[column];
  if (!source || texts[column] !== before[column]) return null;
  const [from, to] = [String(before[source] ?? ""), String(texts[source] ?? "")];
  if (parseValue(from) === parseValue(to) || from === texts[column]) return null;
  return <span className="text-2xs text-muted">Will be {from || "empty"}, the value until now</span>;
}
