import type { Category } from "#app/features/categories/category-queries.ts";
import { type ShownField, shownCustomFields } from "#app/features/items/custom-fields.ts";
import type { CustomFieldLabels } from "#app/features/items/field-definition-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import type { ItemRanges } from "#app/features/items/value-range-queries.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { titled } from "#domain/text/words.ts";
import { lastMove, type ValueReading } from "#domain/values/last-move.ts";
import { figuresOf, type ViewMode } from "#domain/values/view-mode.ts";
import type { SeriesPoint, ValueSeries } from "./history/value-series.ts";
import { type ShownMode, toShownMode } from "./shown-mode.ts";

export type ShownFruit = {
  slug: string;
  name: string;
  image: string | null;
  rarity: string;
  demand: string;
  /** Its status in players' words; null if no editor set one. */
  status: string | null;
  type: string;
  isPermanent: boolean;
  category: { name: string; icon: string } | null;
  /** When its values were last checked, and when anything of it was last edited: two different things (P7). */
  checked: string;
  updated: string;
  fields: ShownField[];
  modes: Record<ViewMode, ShownMode>;
};

export function toShownFruit(
  item: Item,
  category: Category | null,
  labels: CustomFieldLabels | null,
  configuration: PageConfiguration,
  { history, range, now }: { history: ValueSeries; range: ItemRanges; now: number },
): ShownFruit {
  const shownIn = (mode: ViewMode) =>
    toShownMode(item, mode, configuration, {
      checked: lastKnown(history[mode]) ?? item.values_checked_at,
      moved: lastMove(readingsOf(history[mode]), figuresOf(item, mode)),
      range: range[mode] ?? null,
      now,
    });
  return {
    slug: item.slug,
    name: item.name,
    image: item.image_url || null,
    rarity: item.rarity,
    demand: item.demand,
    status: item.status && titled(item.status),
    type: item.type,
    isPermanent: item.is_permanent,
    category: category && { name: category.name, icon: category.icon },
    checked: item.values_checked_at.slice(0, 10),
    updated: item.updated_at,
    fields: shownCustomFields(item.custom_fields, labels, configuration),
    modes: { regular: shownIn("regular"), permanent: shownIn("permanent") },
  };
}

/** When a value was last read or checked; an item's modes can differ. Null if unknown, and after an undo. */
function lastKnown(points: readonly SeriesPoint[]): string | null {
  const [last, change] = [points.at(-1), points.findLast(({ reading }) => reading)];
  if (!last || change?.reading?.reason_code === "undo") return null;
  return new Date(last.time).toISOString();
}

/** The readings and checks, newest first. */
function readingsOf(points: readonly SeriesPoint[]): ValueReading[] {
  const readings = points.map(({ time, value }, index) => ({
    old_number: points[index - 1]?.value ?? null,
    new_number: value,
    changed_at: new Date(time).toISOString(),
  }));
  return readings.reverse();
}
