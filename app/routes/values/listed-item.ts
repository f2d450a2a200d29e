import type { Category } from "#app/features/categories/category-queries.ts";
import { type ShownField, shownCustomFields } from "#app/features/items/custom-fields.ts";
import type { CustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import type { RecentReadings } from "#app/features/items/value-history-queries.ts";
import type { ItemRanges } from "#app/features/items/value-range-queries.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { titled } from "#domain/text/words.ts";
import { lastMove } from "#domain/values/last-move.ts";
import { describeConfidence, formatRange, type ValueRange } from "#domain/values/value-range.ts";
import { figuresOf, type ItemValues, type ViewMode } from "#domain/values/view-mode.ts";
import { packLine } from "./value-line.ts";

/** What a card of the values list needs of an item, and nothing else, since the list is sent to the browser. */
export type ListedItem = ItemValues & {
  slug: string;
  name: string;
  /** Aliases, separated by commas; searched besides the name. */
  aliases: string;
  image: string | null;
  rarity: string;
  demand: string;
  type: string;
  /** The category's slug, as used by the tabs; null for none. */
  category: string | null;
  /** The day on which its values were last checked, `2026-08-17`. */
  checked: string;
  fields: ShownField[];
  /** The last year of its value in each mode, packed by `packLine`; empty if there is nothing to draw. */
  lines: Record<ViewMode, string>;
  /** The day on which each mode's value last moved; null if unknown. */
  moved: Record<ViewMode, string | null>;
  /** The range of each mode's value, such as `515M–765M`, and its confidence; null without a value. */
  ranges: Record<ViewMode, [range: string, confidence: string] | null>;
};

/** Converts items for their cards. */
export function toListedItems(
  items: readonly Item[],
  categories: readonly Category[],
  labels: CustomFieldLabels | null,
  configuration: PageConfiguration,
  readings: readonly RecentReadings[],
  ranges: ReadonlyMap<string, ItemRanges>,
): ListedItem[] {
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  const recent = new Map(readings.map((each) => [each.id, each]));
  return items.map((item) => ({
    slug: item.slug,
    name: item.name,
    aliases: item.aliases,
    image: item.image_url || null,
    rarity: item.rarity,
    demand: item.demand,
    type: item.type,
    category: slugs.get(item.category_id ?? "") ?? null,
    checked: item.values_checked_at.slice(0, 10),
    current_value: item.current_value,
    previous_value: item.previous_value,
    permanent_value: item.permanent_value,
    permanent_previous_value: item.permanent_previous_value,
    beli_price: item.beli_price,
    robux_price: item.robux_price,
    fields: [
      ...statusField(item, configuration),
      ...shownCustomFields(item.custom_fields, labels, configuration),
    ],
    ...historyOf(item, recent.get(item.id)),
    ranges: {
      regular: packRange(ranges.get(item.id)?.regular),
      permanent: packRange(ranges.get(item.id)?.permanent),
    },
  }));
}

/** The item's status as one more line of its card. */
function statusField({ status }: Item, configuration: PageConfiguration): ShownField[] {
  if (!status || !isVisible(configuration, "demand")) return [];
  return [{ key: "status", label: "Status", text: titled(status) }];
}

function packRange(range: ValueRange | undefined): ListedItem["ranges"][ViewMode] {
  return range ? [formatRange(range), describeConfidence(range)] : null;
}

function historyOf(item: Item, recent: RecentReadings | undefined): Pick<ListedItem, "lines" | "moved"> {
  const { regular = [], permanent = [] } = recent ?? {};
  const lineOf = (readings: typeof regular) => packLine(readings, item.values_checked_at);
  return {
    lines: { regular: lineOf(regular), permanent: lineOf(permanent) },
    moved: {
      regular: dayOf(lastMove(regular, figuresOf(item, "regular"))),
      permanent: dayOf(lastMove(permanent, figuresOf(item, "permanent"))),
    },
  };
}

function dayOf(moment: string | null): string | null {
  return moment?.slice(0, 10) ?? null;
}
