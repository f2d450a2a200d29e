/** The data that a page shows, and so whose changes make it stale: a rating does not affect the value list. */
export type PageSubject = "catalogue" | "community";

/** The subject of a page key. */
export function subjectOf(key: string): PageSubject {
  return /^\/community([/?.]|$)/.test(key) ? "community" : "catalogue";
}
