import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

/** What a visitor chose for the list. It stands in the address, so that Back and a shared link bring it again. */
export type ListChoice = { search: string; category: string | null; mode: ViewMode };

/** The choice in a query such as `?q=kits&category=limiteds&mode=permanent`; whatever is odd is the default. */
export function parseListQuery(query: string): ListChoice {
  const params = new URLSearchParams(query);
  const mode = VIEW_MODES.find((each) => each === params.get("mode")) ?? "regular";
  return { search: params.get("q") ?? "", category: params.get("category") || null, mode };
}

/** The query of a choice with its question mark, empty for the default choice. */
export function formatListQuery({ search, category, mode }: ListChoice): string {
  const params = new URLSearchParams();
  if (search.trim()) params.set("q", search.trim());
  if (category) params.set("category", category);
  if (mode !== "regular") params.set("mode", mode);
  return params.size > 0 ? `?${params}` : "";
}
