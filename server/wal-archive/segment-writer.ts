import { type FileHandle, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { lastOf, PARTIAL, parseSegment, SEGMENT_BYTES, segmentName, segmentOf } from "./segments.ts";

/** Writes PostgreSQL's log into files of its own size and names. */
export type SegmentWriter = {
  write(lsn: bigint, data: Buffer): Promise<void>;
  /** Puts on the disk what was written so far; gives up to where that is. */
  flush(): Promise<bigint>;
  close(): Promise<void>;
};

export function createSegmentWriter(folder: string, timeline: number, from: bigint): SegmentWriter {
  const size = BigInt(SEGMENT_BYTES);
  let current: { number: bigint; handle: FileHandle } | null = null;
  let written = from;

  async function openFor(number: bigint): Promise<FileHandle> {
    if (current?.number === number) return current.handle;
    const file = join(folder, segmentName(timeline, number) + PARTIAL);
    const handle = await open(file, "r+", 0o600).catch(() => open(file, "w+", 0o600));
    // As long as it will be: what follows the log's end is zeros, as PostgreSQL expects.
    await handle.truncate(SEGMENT_BYTES);
    current = { number, handle };
    return handle;
  }

  /** Before anything is confirmed that follows it: whoever begins anew finds no other one unfinished. */
  async function finish(): Promise<void> {
    if (!current) return;
    const { number, handle } = current;
    current = null;
    await handle.sync();
    await handle.close();
    const name = join(folder, segmentName(timeline, number));
    await rename(name + PARTIAL, name);
    await syncFolder(folder);
  }

  return {
    async write(lsn, data) {
      if (lsn !== written) throw new Error("PostgreSQL's log did not arrive in its order");
      for (let at = 0; at < data.length; ) {
        const handle = await openFor(segmentOf(written));
        const offset = Number(written % size);
        const length = Math.min(data.length - at, SEGMENT_BYTES - offset);
        await handle.write(data, at, length, offset);
        at += length;
        written += BigInt(length);
        if (written % size === 0n) await finish();
      }
    },
    async flush() {
      await current?.handle.sync();
      return written;
    },
    close: async () => void (await current?.handle.close()),
  };
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** The last segment of a timeline that the folder holds; null where it holds none. */
export async function lastSegment(folder: string, timeline: number): Promise<bigint | null> {
  return lastOf((await readdir(folder)).map(parseSegment), timeline);
}
