import { apiError } from "../api-error.ts";
import type { RowRange } from "../query/query-types.ts";

/**
 * Narrows the root's range by a `Range: 0-24` header (in items, inclusive). Other forms are ignored, as HTTP requires.
 * @throws ApiError PGRST103 if the range ends before it starts
 */
export function narrowByRangeHeader(range: RowRange, header: string | undefined): RowRange {
  const [, first, last] = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined) return range;
  const from = Number(first);
  const to = last === "" || last === undefined ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from) throw emptyRange();
  const queryTo = range.limit === null ? Number.POSITIVE_INFINITY : range.offset + range.limit - 1;
  if (range.limit === 0) return range;
  const offset = Math.max(range.offset, from);
  const end = Math.min(queryTo, to);
  if (end < offset) throw emptyRange();
  return { offset, limit: end === Number.POSITIVE_INFINITY ? null : end - offset + 1 };
}

function emptyRange() {
  return apiError(
    416,
    "PGRST103",
    "Requested range not satisfiable",
    "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
  );
}
