/** A hosted backend cuts every answer at this many rows unless configured otherwise. */
export const ROWS_AN_ANSWER = 1000;

type Answer<T> = { data: T[] | null; error: unknown; count: number | null };

/** Reads answer after answer until the counted number of rows is there; null when one of them fails. */
export async function readOn<T>(read: (from: number) => PromiseLike<Answer<T>>): Promise<T[] | null> {
  const rows: T[] = [];
  for (;;) {
    const { data, error, count } = await read(rows.length);
    if (error || data === null) return null;
    rows.push(...data);
    if (data.length === 0 || rows.length >= (count ?? 0)) return rows;
  }
}
