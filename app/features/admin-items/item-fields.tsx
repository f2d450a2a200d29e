import type { Category } from "#app/features/categories/category-queries.ts";
import { DEMANDS } from "#domain/demand.ts";
import { ITEM_COLUMNS, type ItemColumn, type ItemFaults } from "#domain/item-input.ts";
import { ITEM_TYPES } from "#domain/item-type.ts";
import { RARITIES } from "#domain/rarity.ts";
import { defaultSlug } from "#domain/slug.ts";
import { titled } from "#domain/words.ts";
import type { FieldDefinition } from "../admin/field-definitions.ts";
import { labelOf } from "./field-labels.ts";
import { type FieldValue, ItemField } from "./item-field.tsx";
import { customDefinitions, type FormTexts, showsColumn } from "./item-texts.ts";
import { UsePrevious } from "./use-previous.tsx";

type ItemFieldsProps = {
  texts: FormTexts;
  faults: ItemFaults;
  onChange(field: string, value: FieldValue): void;
  categories: readonly Category[];
  definitions: readonly FieldDefinition[];
  /** The texts before the edit: their values can be taken over as the previous ones. */
  before?: FormTexts;
};

/** All fields of an item that Field Settings leave visible, then the custom ones (2.admin.06). */
export function ItemFields({ texts, faults, onChange, categories, definitions, before }: ItemFieldsProps) {
  const common = (name: string) => ({
    name,
    label: labelOf(name, definitions),
    value: texts[name] ?? "",
    error: faults[name],
    onChange: (value: FieldValue) => onChange(name, value),
  });
  return (
    <>
      {ITEM_COLUMNS.filter((column) => showsColumn(definitions, column)).map((column) => (
        <ItemField
          key={column}
          {...common(column)}
          isBox={column === "is_permanent"}
          options={optionsOf(column, categories)}
          required={REQUIRED.has(column)}
          placeholder={column === "slug" ? defaultSlug(String(texts.name)) : undefined}
          className={column === "name" ? "item-field-wide" : ""}
        >
          {before && <UsePrevious column={column} {...{ texts, before, onChange }} />}
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

const words = (list: readonly string[]) => list.map((word) => [word, titled(word)] as const);
const CHOICES: Partial<Record<ItemColumn, readonly (readonly [string, string])[]>> = {
  rarity: words(RARITIES),
  type: words(ITEM_TYPES),
  demand: words(DEMANDS),
};

function optionsOf(column: ItemColumn, categories: readonly Category[]) {
  if (column !== "category_id") return CHOICES[column] ?? null;
  return categories.map(({ id, icon, name }) => [id, `${icon} ${name}`.trim()] as const);
}
