import { formatCount } from "#domain/text/counts.ts";
import type { WorkParts } from "./work-queries.ts";

/** Why an item is at its place in the list: the parts of its score in words. */
export function describeWork({ weeks, traders, views, spread, game_update }: WorkParts): string[] {
  const days = Math.floor(weeks * 7);
  return [
    `Not looked at for ${formatCount(days, "day")}`,
    ...(traders > 0 ? [`In saved trades of ${formatCount(traders, "person", "people")} in 30 days`] : []),
    ...(views > 0 ? [`Its page was opened ${formatCount(views, "time")} in 7 days`] : []),
    ...(spread > 0 ? [`What was found lies ${Math.round(spread * 100)}% apart`] : []),
    ...(game_update ? [`Unsettled by ${game_update}`] : []),
  ];
}
