import { searchText } from "#domain/text/words.ts";
import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

/** The minimum change of a value in percent, up or down. */
export const SIZES = [10, 25, 50] as const;

/** What can change about an item. */
export const CHANGE_KINDS = ["value", "demand", "status"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The requested changes; null means all. Mode and size apply to values only. */
export type ChangeQuery = {
  /** Part of an item's name. */
  item: string;
  kind: ChangeKind | null;
  /** A category's slug. */
  category: string | null;
  mode: ViewMode | null;
  size: number | null;
  /** The cursor: changes older than this one, by a value change's id, or another change's id after a `d`. */
  before: string | null;
};

/** Parses `?item=dough&kind=value&category=limiteds&mode=permanent&size=25&before=400`; invalid values are ignored. */
export function parseChangeQuery(search: string): ChangeQuery {
  const params = new URLSearchParams(search);
  const among = <T>(name: string, known: readonly T[]) =>
    known.find((each) => String(each) === params.get(name)) ?? null;
  return {
    item: searchText(params.get("item"), 100),
    kind: among("kind", CHANGE_KINDS),
    category: /^[a-z0-9-]{1,50}$/.exec(params.get("category") ?? "")?.[0] ?? null,
    mode: among("mode", VIEW_MODES),
    size: among<number>("size", SIZES),
    before: /^d?\d{1,15}$/.exec(params.get("before") ?? "")?.[0] ?? null,
  };
}

/** The query with its question mark; empty for all changes. */
export function formatChangeQuery({ item, ...others }: ChangeQuery): string {
  const params = new URLSearchParams(item ? { item } : {});
  for (const [name, value] of Object.entries(others)) {
    if (value !== null) params.set(name, String(value));
  }
  return params.size > 0 ? `?${params}` : "";
}
