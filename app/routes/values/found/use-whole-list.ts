import { type ReactNode, useMemo } from "react";
import { medianDay } from "#domain/text/dates.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { findItems } from "../find-items.ts";
import type { ListChoice } from "../finder/list-query.ts";
import type { ListedItem } from "../listed-item.ts";
import { unpackItems } from "../pack-items.ts";
import type { FoundItems } from "./found-items.ts";
import { suggestNames } from "./suggest-names.ts";

/** The matching items, as the list shows them. */
export type ShownItems = {
  found: ListedItem[];
  mode: ViewMode;
  /** The total number; null while unknown. */
  count: number | null;
  /** What was searched, after the number, if it was not everything. */
  scope?: string;
  median: string | null;
  /** Similar names, if nothing was found. */
  near(): readonly string[];
  /** What is shown instead, if nothing was found because the rest could not be searched. */
  failure?: ReactNode;
  /** What follows the items. */
  foot?: ReactNode;
};

/** The matching items of a catalogue that is fully loaded. */
export function useWholeList({ items }: FoundItems, filter: ListChoice): ShownItems {
  const all = useMemo(() => unpackItems(items), [items]);
  return useMemo(() => {
    const { found, mode } = findItems(all, filter);
    const median = medianDay(found.map(({ checked }) => checked));
    return { found, mode, count: found.length, median, near: () => suggestNames(all, filter.search) };
  }, [all, filter]);
}
