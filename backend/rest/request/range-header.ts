import { apiError } from "../api-error.ts";
import type { Placed, RowRange } from "../query/query-types.ts";

/**
 * Narrows the root's range by a `Range: 0-24` header (in items, inclusive). Other forms are ignored, as HTTP requires.
 * @throws ApiError PGRST103 if the range ends before it starts
 */
export function narrowByRangeHeader(
  ranges: Placed<RowRange>[],
  header: string | undefined,
): Placed<RowRange>[] {
  const [, first, last] = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined) return ranges;
  const from = Number(first);
  const to = last === "" || last === undefined ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from) throw emptyRange();
  const root = ranges.find(({ path }) => path.length === 0)?.value ?? { offset: 0, limit: null };
  if (root.limit === 0) return ranges;
  const queryTo = root.limit === null ? Number.POSITIVE_INFINITY : root.offset + root.limit - 1;
  const offset = Math.max(root.offset, from);
  const end = Math.min(queryTo, to);
  if (end < offset) throw emptyRange();
  const limit = end === Number.POSITIVE_INFINITY ? null : end - offset + 1;
  return [...ranges.filter(({ path }) => path.length > 0), { path: [], value: { offset, limit } }];
}

function emptyRange() {
  return apiError(
    416,
    "PGRST103",
    "Requested range not satisfiable",
    "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
  );
}
