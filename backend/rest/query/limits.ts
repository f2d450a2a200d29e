/** Limits per request. Exceeding one is refused with a 4xx that names the limit. */
export const limits = {
  /** Characters of path and query. */
  urlLength: 65_536,
  /** Bytes of the body. */
  bodyBytes: 10_000_000,
  /** Nesting depth of resources in `select`. */
  embedDepth: 12,
  /** Total number of resources in `select`: PostgreSQL's planning cost grows with each. */
  embeds: 250,
  /** Nesting depth of `and`/`or`. */
  logicDepth: 24,
  /** Total number of conditions in filters and logic trees. */
  filters: 500,
  /** Items in `select`, embedded ones included. */
  selectItems: 1000,
  /** Values of one `in` list. */
  listValues: 20_000,
  /** Pairs of a form in the body. */
  formPairs: 20_000,
  /** Characters of a CSV body as the JSON that PostgreSQL reads. */
  csvAsJson: 40_000_000,
  /** Nesting depth of a JSON body. */
  jsonDepth: 256,
  /** Columns of one insert or update. */
  columns: 1600,
};
