/** The part of the official client's response that every read has. */
type Answer<T> = { data: T | null; error: unknown };

/**
 * The silent fallback of 8.silent.01–04, made explicit: a read that failed or found nothing returns its default without
 * a message. Only for reads without which the page is still correct (P30).
 */
export function ignoreFailedRead<T, D>({ data, error }: Answer<T>, instead: D): T | D {
  return error || data === null ? instead : data;
}
