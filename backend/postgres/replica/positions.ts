/** A place in PostgreSQL's log: how many bytes were written before it. */
export type Position = bigint;

export function parsePosition(text: string): Position {
  const [high, low] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatPosition(position: Position): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`;
}

const PAGE = 8_192n;
/** The longest header of a page of the log; no record ends within it but one that began on the page before. */
const HEADER = 40n;

/** Where what is written so far ends: a place behind a page's header is one that no record comes to. */
export function endBefore(position: Position): Position {
  const inPage = position % PAGE;
  return inPage <= HEADER ? position - inPage : position;
}

/** How long ago the primary was where its replica is now, told by looks at both. */
export function createLagMeter(): (at: number, primary: Position, replica: Position) => number {
  let looks: { at: number; primary: Position }[] = [];
  return (at, primary, replica) => {
    looks.push({ at, primary });
    looks = looks.filter((look) => look.primary > replica);
    return looks[0] ? at - looks[0].at : 0;
  };
}
