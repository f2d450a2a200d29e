import { constants, type FileHandle, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncToDisk } from "#backend/storage/files/sync-to-disk.ts";
import { lastOf, PARTIAL, parseSegment, SEGMENT_BYTES, segmentName, segmentOf } from "./segments.ts";

/** Writes WAL into segment files with PostgreSQL's own names and size. */
export type SegmentWriter = {
  write(lsn: bigint, data: Buffer): Promise<void>;
  /** Syncs the data written so far; returns the position up to which it is on disk. */
  flush(): Promise<bigint>;
  /** The segment being written; null between two. */
  openFile(): string | null;
  close(): Promise<void>;
};

/**
 * @param requireThere checked before a file is opened, so that none is created at the mount point of a missing disk
 */
export function createSegmentWriter(
  folder: string,
  { timeline, from }: { timeline: number; from: bigint },
  requireThere: () => Promise<void>,
): SegmentWriter {
  const size = BigInt(SEGMENT_BYTES);
  let current: { number: bigint; handle: FileHandle } | null = null;
  let written = from;

  const partialOf = (number: bigint) => join(folder, segmentName(timeline, number) + PARTIAL);

  async function openFor(number: bigint): Promise<FileHandle> {
    if (current?.number === number) return current.handle;
    await requireThere();
    // Never emptied: it may contain confirmed WAL.
    const handle = await open(partialOf(number), constants.O_RDWR | constants.O_CREAT, 0o600);
    // Full length from the start: PostgreSQL expects zeros after the end of WAL.
    await handle.truncate(SEGMENT_BYTES);
    current = { number, handle };
    return handle;
  }

  /** Called before any later position is confirmed, so that at most one segment is ever incomplete. */
  async function finish(): Promise<void> {
    if (!current) return;
    const { number, handle } = current;
    current = null;
    await handle.sync();
    await handle.close();
    await rename(partialOf(number), join(folder, segmentName(timeline, number)));
    await syncToDisk(folder);
  }

  return {
    async write(lsn, data) {
      if (lsn !== written) throw new Error("PostgreSQL's log did not arrive in its order");
      for (let at = 0; at < data.length; ) {
        const handle = await openFor(segmentOf(written));
        const offset = Number(written % size);
        const length = Math.min(data.length - at, SEGMENT_BYTES - offset);
        // Fewer when the disk is nearly full.
        const { bytesWritten } = await handle.write(data, at, length, offset);
        at += bytesWritten;
        written += BigInt(bytesWritten);
        if (written % size === 0n) await finish();
      }
    },
    async flush() {
      await current?.handle.sync();
      return written;
    },
    openFile: () => current && partialOf(current.number),
    close: async () => void (await current?.handle.close()),
  };
}

/** The last segment of a timeline in the folder; null if there is none. */
export async function lastSegment(folder: string, timeline: number): Promise<bigint | null> {
  return lastOf((await readdir(folder)).map(parseSegment), timeline);
}
