import { type ReactNode, useMemo } from "react";
import { medianDay } from "#domain/text/dates.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { findItems } from "../find-items.ts";
import type { ListChoice } from "../finder/list-query.ts";
import type { ListedItem } from "../listed-item.ts";
import { unpackItems } from "../pack-items.ts";
import type { FoundItems } from "./found-items.ts";
import { suggestNames } from "./suggest-names.ts";

/** What a choice leaves, as the list shows it. */
export type ShownItems = {
  found: ListedItem[];
  mode: ViewMode;
  /** How many there are in all; null while that is not known. */
  count: number | null;
  median: string | null;
  /** Names that may have been meant where nothing is found. */
  near(): readonly string[];
  /** What stands below the items. */
  foot?: ReactNode;
};

/** What a choice leaves of a catalogue that is here as a whole. */
export function useWholeList({ items }: FoundItems, filter: ListChoice): ShownItems {
  const all = useMemo(() => unpackItems(items), [items]);
  return useMemo(() => {
    const { found, mode } = findItems(all, filter);
    const median = medianDay(found.map(({ checked }) => checked));
    return { found, mode, count: found.length, median, near: () => suggestNames(all, filter.search) };
  }, [all, filter]);
}
