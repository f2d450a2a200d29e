import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type QueryConfig, type Submittable } from "pg";
import { KEEP_ALIVE } from "#backend/postgres/keep-alive.ts";
import { formatLsn, parseLsn } from "#backend/postgres/lsn.ts";
import { syncToDisk } from "#backend/storage/files/sync-to-disk.ts";
import { StartError } from "../configuration/start-error.ts";
import { type ArchiveFolder, takeArchiveFolder } from "./archive-folder.ts";
import { createSegmentWriter, lastSegment, type SegmentWriter } from "./segment-writer.ts";
import { historyName, parseSegment, SEGMENT_BYTES, segmentOf } from "./segments.ts";

/** The name of both the replication slot and the synchronous standby. */
export const ARCHIVE_NAME = "wal_archive";

/** How often the folder is checked and PostgreSQL gets a status update. */
const LOOK_EVERY_MS = 1_000;
/** Maximum bytes received but not yet written; beyond that PostgreSQL waits. */
const MOST_WAITING = 32 * 1024 * 1024;
/** How long PostgreSQL may leave a question unanswered; it answers at once unless its sender hangs. */
const PATIENCE_MS = 10_000;
/** The protocol counts microseconds since the year 2000. */
const PROTOCOL_EPOCH_MS = Date.UTC(2000, 0, 1);

/**
 * Streams WAL into `folder` and confirms each part once it is synced to disk there, for as long as the connection
 * lasts. Continues where the folder ends; `url` must belong to a login that may replicate.
 * @param onKept called when streaming starts, and each second while the folder is there
 * @throws if the connection ends, or if PostgreSQL does not respond for `patience` milliseconds
 */
export async function receiveWal(
  url: string,
  folder: string,
  onKept: () => void,
  patience = PATIENCE_MS,
): Promise<void> {
  const connection = new URL(url);
  connection.searchParams.set("replication", "true");
  const client = new Client({
    connectionString: connection.href,
    application_name: ARCHIVE_NAME,
    connectionTimeoutMillis: patience,
    ...KEEP_ALIVE,
  });
  const broken = new Promise<never>((_, reject) => {
    client.once("error", reject);
    client.once("end", () => reject(new Error("the connection ended")));
  });
  broken.catch(() => {});
  await client.connect();
  try {
    const { timeline, from, place } = await findBeginning(client, folder, patience);
    const writer = createSegmentWriter(folder, { timeline, from }, () => place.requireThere(null));
    const command = `START_REPLICATION SLOT "${ARCHIVE_NAME}" PHYSICAL ${formatLsn(from)} TIMELINE ${timeline}`;
    await Promise.race([
      stream(client, command, { writer, place, onKept, patience }).finally(writer.close),
      broken,
    ]);
  } finally {
    await client.end().catch(() => {});
  }
}

type Row = Record<string, string | null>;

type Beginning = { timeline: number; from: bigint; place: ArchiveFolder };

async function findBeginning(client: Client, folder: string, patience: number): Promise<Beginning> {
  // Its types lack the timeout.
  const limited = (text: string) => ({ text, query_timeout: patience }) as QueryConfig;
  const ask = async (command: string) => (await client.query<Row>(limited(command))).rows[0] ?? {};
  const { systemid, timeline: text, xlogpos } = await ask("IDENTIFY_SYSTEM");
  const timeline = Number(text);
  let slot = await ask(`READ_REPLICATION_SLOT "${ARCHIVE_NAME}"`);
  const isContinued = Boolean(slot.restart_lsn);
  const place = await takeArchiveFolder(folder, { systemId: String(systemid), isContinued });
  await requireContinued(folder, {
    confirmed: isContinued ? segmentOf(parseLsn(String(slot.restart_lsn))) : null,
    timeline,
    at: segmentOf(parseLsn(String(xlogpos))),
  });
  if (timeline > 1) {
    const { content } = await ask(`TIMELINE_HISTORY ${timeline}`);
    await writeFile(join(folder, historyName(timeline)), String(content), { mode: 0o600, flush: true });
  }
  if (!slot.restart_lsn) {
    await ask(`CREATE_REPLICATION_SLOT "${ARCHIVE_NAME}" PHYSICAL RESERVE_WAL`);
    slot = await ask(`READ_REPLICATION_SLOT "${ARCHIVE_NAME}"`);
  }
  // Streams from the start of a segment, so that the segment is complete whatever was there before.
  const from = segmentOf(parseLsn(String(slot.restart_lsn))) * BigInt(SEGMENT_BYTES);
  await syncToDisk(folder);
  return { timeline, from, place };
}

type Continued = {
  /** The segment up to which PostgreSQL considers WAL archived; null if it has no archive. */
  confirmed: bigint | null;
  timeline: number;
  at: bigint;
};

/**
 * A backup restored without its archive has no slot, since backups contain none: its new WAL would overwrite the
 * segments archived after that backup. And an archive copy older than the confirmed position would have a gap.
 */
async function requireContinued(folder: string, { confirmed, timeline, at }: Continued): Promise<void> {
  const last = await lastSegment(folder, timeline);
  const isFree = (await readdir(folder)).every((name) => !parseSegment(name));
  if (confirmed === null ? !isFree : last !== null && last > at)
    throw new StartError(
      `${folder} holds a log that this database does not continue: restore with it, or name another folder for this database.`,
    );
  // The next segment is created only when something is written to it.
  if (confirmed !== null && last !== null && last + 1n < confirmed)
    throw new StartError(
      `${folder} ends before what was archived last: another disk is mounted there, or an older copy. Mount the right one.`,
    );
}

type Connection = {
  stream: { pause(): void; resume(): void };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
};

type Archive = { writer: SegmentWriter; place: ArchiveFolder; onKept: () => void; patience: number };

/** Never resolves: it ends by failing. */
function stream(
  client: Client,
  command: string,
  { writer, place, onKept, patience }: Archive,
): Promise<never> {
  return new Promise((_, reject) => {
    let waiting: Part[] = [];
    let bytes = 0;
    let isBusy = false;
    let isKept = false;
    let hasStarted = false;
    /** Ticks since PostgreSQL last said anything; not elapsed time, since this process may have been suspended. */
    let silent = 0;
    let asks = false;
    let looking: NodeJS.Timeout | undefined;
    let connection: Connection;
    const fail = (error: Error) => {
      clearInterval(looking);
      reject(error);
    };
    const writeAll = async () => {
      const parts = waiting;
      waiting = [];
      bytes = 0;
      for (const { lsn, data } of parts) await writer.write(lsn, data);
    };
    /** Writes all parts received meanwhile with a single sync. While the disk hangs, nothing is confirmed. */
    const work = async () => {
      do {
        await writeAll();
        const flushed = await writer.flush();
        // Data written to a file that was unmounted with its disk is lost.
        await place.requireThere(writer.openFile());
        connection.sendCopyFromChunk(statusOf(flushed, asks));
        asks = false;
        isKept = true;
        connection.stream.resume();
      } while (waiting.length > 0);
      isBusy = false;
    };
    const begin = () => {
      if (isBusy) return;
      isBusy = true;
      work().catch(fail);
    };
    const look = () => {
      if (isKept) onKept();
      isKept = false;
      // While the disk hangs, nothing is asked, and the stream may be paused.
      if (!isBusy && ++silent * LOOK_EVERY_MS > patience)
        return fail(new Error("PostgreSQL does not respond"));
      if (!hasStarted) return;
      asks = true;
      begin();
    };
    const take = (chunk: Buffer) => {
      silent = 0;
      const kind = String.fromCharCode(chunk[0] ?? 0);
      if (kind === "k" && chunk[17] === 1) begin();
      if (kind !== "w") return;
      // Copied, since the protocol parser reuses its buffer.
      waiting.push({ lsn: chunk.readBigUInt64BE(1), data: Buffer.from(chunk.subarray(25)) });
      bytes += chunk.length;
      if (bytes > MOST_WAITING) connection.stream.pause();
      begin();
    };
    const ignore = () => {};
    client.query({
      submit(opened: unknown) {
        connection = opened as Connection;
        (opened as NodeJS.EventEmitter).once("replicationStart", () => {
          hasStarted = true;
          silent = 0;
          onKept();
        });
        // Timers run before sockets are read: the answer may be there already.
        looking = setInterval(() => setImmediate(look), LOOK_EVERY_MS).unref();
        connection.query(command);
      },
      handleRowDescription: ignore,
      handleDataRow: ignore,
      handleCommandComplete: () => fail(new Error("PostgreSQL ended")),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => take(chunk),
      handleReadyForQuery: () => fail(new Error("PostgreSQL ended")),
      handleError: fail,
    } as unknown as Submittable);
  });
}

type Part = { lsn: bigint; data: Buffer };

/** Reports the position as written, flushed and, since nothing replays it, applied; `asks` for an answer. */
function statusOf(lsn: bigint, asks: boolean): Buffer {
  const status = Buffer.alloc(34);
  status.write("r");
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(lsn, at);
  status.writeBigUInt64BE(BigInt(Date.now() - PROTOCOL_EPOCH_MS) * 1000n, 25);
  status[33] = asks ? 1 : 0;
  return status;
}
