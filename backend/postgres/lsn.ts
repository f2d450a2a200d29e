/** A log sequence number: a position in PostgreSQL's WAL, as the number of bytes before it. */
export type Lsn = bigint;

/** Converts `16/B374D848` to a byte offset. */
export function parseLsn(text: string): Lsn {
  const [high, low] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatLsn(position: Lsn): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

const PAGE = 8_192n;
/** The longest header of a WAL page; a record ends within it only if it began on the page before. */
const HEADER = 40n;

/** The end of the data written so far: a position right after a page header is one that no record ends at. */
export function endBefore(position: Lsn): Lsn {
  const inPage = position % PAGE;
  return inPage <= HEADER ? position - inPage : position;
}
