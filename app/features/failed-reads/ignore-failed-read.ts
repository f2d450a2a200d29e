/** The part of the official client's answer that every read has. */
type Answer<T> = { data: T | null; error: unknown };

/**
 * The silence that 8.silent.01–04 asks for, where it can be seen: a read that failed, or found nothing, is answered
 * by its default and nobody is told. Only for reads without which the page stays true (P30).
 */
export function ignoreFailedRead<T, D>({ data, error }: Answer<T>, instead: D): T | D {
  return error || data === null ? instead : data;
}
