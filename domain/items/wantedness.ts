import { valueIn } from "#domain/values/view-mode.ts";
import { demandScore } from "./demand.ts";

type Wanted = Parameters<typeof valueIn>[0] & { demand: string };

/** Sorts the most wanted items first: by demand, then by regular value, which is below 1e15. */
export function byWantedness(a: Wanted, b: Wanted): number {
  return wantedness(b) - wantedness(a);
}

function wantedness(item: Wanted): number {
  return (demandScore(item.demand) ?? 0) * 1e15 + (valueIn(item, "regular") ?? 0);
}
