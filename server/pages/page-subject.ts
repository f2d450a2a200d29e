/** What a page is about, and so whose changes make it stale: nobody's rating touches the list of values. */
export type PageSubject = "catalogue" | "community";

/** What the page of a key is about. */
export function subjectOf(key: string): PageSubject {
  return /^\/community([/?.]|$)/.test(key) ? "community" : "catalogue";
}
