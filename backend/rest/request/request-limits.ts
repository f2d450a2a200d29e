import { type ApiError, apiError } from "../api-error.ts";

/** How much one request may ask for. Beyond a limit it is refused with a 4xx that names the limit. */
export type Limits = {
  /** Characters of path and query. */
  urlLength: number;
  /** Bytes of the body. */
  bodyBytes: number;
  /** Resources inside resources in `select`. */
  embedDepth: number;
  /** `and`/`or` inside `and`/`or`. */
  logicDepth: number;
  /** Conditions in all filters and logic trees together. */
  filters: number;
  /** Items in `select`, embedded ones included. */
  selectItems: number;
  /** Values of one `in` list. */
  listValues: number;
  /** Objects and arrays inside one another in a JSON body. */
  jsonDepth: number;
  /** Columns of one insert or update. */
  columns: number;
};

export const defaultLimits: Limits = {
  urlLength: 65_536,
  bodyBytes: 10_000_000,
  embedDepth: 12,
  logicDepth: 24,
  filters: 500,
  selectItems: 1000,
  listValues: 20_000,
  jsonDepth: 256,
  columns: 1600,
};

export function tooComplex(what: string, limit: number): ApiError {
  return apiError(400, "PGRST100", "The query is too complex", `${what}: at most ${limit} allowed`);
}
