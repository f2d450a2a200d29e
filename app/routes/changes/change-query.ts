import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

/** How much a value must have changed by, in percent, up or down. */
export const SIZES = [10, 25, 50] as const;

/** What of an item can change. */
export const CHANGE_KINDS = ["value", "demand", "status"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Which changes are asked for; null where all are. A mode and a size are of values alone. */
export type ChangeQuery = {
  /** Part of an item's name. */
  item: string;
  kind: ChangeKind | null;
  /** A category's slug. */
  category: string | null;
  mode: ViewMode | null;
  size: number | null;
  /** Those older than this one: a value's by its id, another by its id after a d. */
  before: string | null;
};

/** Reads `?item=dough&kind=value&category=limiteds&mode=permanent&size=25&before=400`; whatever is odd asks for nothing. */
export function parseChangeQuery(search: string): ChangeQuery {
  const params = new URLSearchParams(search);
  const among = <T>(name: string, known: readonly T[]) =>
    known.find((each) => String(each) === params.get(name)) ?? null;
  return {
    item: (params.get("item") ?? "").trim().slice(0, 100),
    kind: among("kind", CHANGE_KINDS),
    category: /^[a-z0-9-]{1,50}$/.exec(params.get("category") ?? "")?.[0] ?? null,
    mode: among("mode", VIEW_MODES),
    size: among<number>("size", SIZES),
    before: /^d?\d{1,15}$/.exec(params.get("before") ?? "")?.[0] ?? null,
  };
}

/** The query with its question mark, empty where all changes are asked for. */
export function formatChangeQuery({ item, ...others }: ChangeQuery): string {
  const params = new URLSearchParams(item ? { item } : {});
  for (const [name, value] of Object.entries(others)) {
    if (value !== null) params.set(name, String(value));
  }
  return params.size > 0 ? `?${params}` : "";
}
