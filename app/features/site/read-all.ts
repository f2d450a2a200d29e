/** A hosted backend returns at most this many rows by default. */
export const ROWS_PER_ANSWER = 1000;

type Answer<T> = { data: T[] | null; error: unknown; count: number | null };
type Read<T> = (from: number, to: number) => PromiseLike<Answer<T>>;

/** Reads page after page until the counted number of rows is there. @throws the error of a failed read */
export async function readAll<T>(read: Read<T>): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const { data, error, count } = await read(rows.length, rows.length + ROWS_PER_ANSWER - 1);
    if (error || data === null) throw error;
    rows.push(...data);
    if (data.length === 0 || rows.length >= (count ?? 0)) return rows;
  }
}

/** Like readAll, but null if a read fails. */
export function readAllOrNull<T>(read: Read<T>): Promise<T[] | null> {
  return readAll(read).catch(() => null);
}
