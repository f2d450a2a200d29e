/** From where PostgREST itself names what may be meant. */
export const OPEN_HINTS = 0.33;

/** The limits of one request. Beyond a limit it is refused with a 4xx that names the limit. */
export type Limits = typeof defaultLimits;

export const defaultLimits = {
  /** Characters of path and query. */
  urlLength: 65_536,
  /** Bytes of the body. */
  bodyBytes: 10_000_000,
  /** Resources inside resources in `select`. */
  embedDepth: 12,
  /** Resources in all of `select`: what PostgreSQL needs to plan a query grows with each. */
  embeds: 250,
  /** `and`/`or` inside `and`/`or`. */
  logicDepth: 24,
  /** Conditions in all filters and logic trees together. */
  filters: 500,
  /** Items in `select`, embedded ones included. */
  selectItems: 1000,
  /** Values of one `in` list. */
  listValues: 20_000,
  /** Objects and arrays inside one another in a JSON body. */
  jsonDepth: 256,
  /** Columns of one insert or update. */
  columns: 1600,
  /** How alike, from 0 to 1, a wrong name and ours must be before a refusal names our function: a guess at any discloses the schema. */
  hintLikeness: 0.75,
};
