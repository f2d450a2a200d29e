import type { Lsn } from "#backend/postgres/lsn.ts";

/** WAL is a sequence of files of this size, `initdb`'s default. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

const IN_A_HIGH_PART = 0x1_0000_0000n / BigInt(SEGMENT_BYTES);

/** Suffix of a segment still being written, as in PostgreSQL's own `pg_receivewal`. */
export const PARTIAL = ".partial";

export type Segment = { timeline: number; number: bigint; isPartial: boolean };

export function segmentOf(position: Lsn): bigint {
  return position / BigInt(SEGMENT_BYTES);
}

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");

export function segmentName(timeline: number, number: bigint): string {
  return hex(BigInt(timeline)) + hex(number / IN_A_HIGH_PART) + hex(number % IN_A_HIGH_PART);
}

/** Null if the name is not a segment's. */
export function parseSegment(name: string): Segment | null {
  const [, timeline, high, low, partial] =
    /^([\dA-F]{8})([\dA-F]{8})([\dA-F]{8})(\.partial)?$/.exec(name) ?? [];
  if (!timeline) return null;
  const number = BigInt(`0x${high}`) * IN_A_HIGH_PART + BigInt(`0x${low}`);
  return { timeline: Number.parseInt(timeline, 16), number, isPartial: partial !== undefined };
}

/** Such as `00000002.history`: where that timeline branched off the previous one. */
export const HISTORY_NAME = /^[\dA-F]{8}\.history$/;

export function historyName(timeline: number): string {
  return `${hex(BigInt(timeline))}.history`;
}

/** The number of a timeline's last segment; null if it has none. */
export function lastOf(segments: readonly (Segment | null)[], timeline: number): bigint | null {
  let last: bigint | null = null;
  for (const segment of segments)
    if (segment?.timeline === timeline && (last === null || segment.number > last)) last = segment.number;
  return last;
}
