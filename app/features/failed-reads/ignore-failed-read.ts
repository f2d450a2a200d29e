/** The part of the official client's answer that every read has. */
type Answer<T> = { data: T | null; error: unknown };

/**
 * The silence that specification §8 asks for, where it can be seen: a read that failed, or found nothing, is answered
 * by its default and nobody is told. Only for reads without which the page stays true (decision 30).
 */
export function ignoreFailedRead<T, D>({ data, error }: Answer<T>, instead: D): T | D {
  return error || data === null ? instead : data;
}
