/** The limits of one request. Beyond a limit it is refused with a 4xx that names the limit. */
export type Limits = {
  /** Characters of path and query. */
  urlLength: number;
  /** Bytes of the body. */
  bodyBytes: number;
  /** Resources inside resources in `select`. */
  embedDepth: number;
  /** Resources in all of `select`: what PostgreSQL needs to plan a query grows with each. */
  embeds: number;
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
  /** How alike, from 0 to 1, a wrong name and ours must be before the refusal names ours: a guess at any discloses the schema. */
  hintLikeness: number;
};

/** From where PostgREST itself names what may be meant. */
export const OPEN_HINTS = 0.33;

export const defaultLimits: Limits = {
  urlLength: 65_536,
  bodyBytes: 10_000_000,
  embedDepth: 12,
  embeds: 250,
  logicDepth: 24,
  filters: 500,
  selectItems: 1000,
  listValues: 20_000,
  jsonDepth: 256,
  columns: 1600,
  hintLikeness: 0.75,
};
