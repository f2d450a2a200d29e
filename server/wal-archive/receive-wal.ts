import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type Submittable } from "pg";
import { formatPosition, parsePosition } from "#backend/postgres/position.ts";
import { StartError } from "../configuration/start-error.ts";
import { createSegmentWriter, lastSegment, type SegmentWriter, syncFolder } from "./segment-writer.ts";
import { historyName, parseSegment, SEGMENT_BYTES, segmentOf } from "./segments.ts";

/** By this name PostgreSQL keeps what is not archived yet, and knows whom commits wait for. */
export const ARCHIVE_NAME = "wal_archive";

/** Tells which database the folder belongs to. */
const OWNER_FILE = "system-identifier";
const ALIVE_EVERY_MS = 5_000;
/** What has come and is not written yet; PostgreSQL waits beyond that. */
const MOST_WAITING = 32 * 1024 * 1024;
/** The protocol counts microseconds since the year 2000. */
const PROTOCOL_EPOCH_MS = Date.UTC(2000, 0, 1);

/**
 * Writes PostgreSQL's log into `folder` as it comes to be, and confirms each part once it is on the disk there, for as long
 * as the connection lasts. It goes on where the folder ends; `url` is of a login that may replicate.
 */
export async function receiveWal(url: string, folder: string, onBegun: () => void): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const connection = new URL(url);
  connection.searchParams.set("replication", "true");
  const client = new Client({ connectionString: connection.href, application_name: ARCHIVE_NAME });
  const broken = new Promise<never>((_, reject) => {
    client.once("error", reject);
    client.once("end", () => reject(new Error("the connection ended")));
  });
  broken.catch(() => {});
  await client.connect();
  try {
    const { timeline, from } = await findBeginning(client, folder);
    const writer = createSegmentWriter(folder, timeline, from);
    const command = `START_REPLICATION SLOT "${ARCHIVE_NAME}" PHYSICAL ${formatPosition(from)} TIMELINE ${timeline}`;
    await Promise.race([stream(client, command, writer, onBegun).finally(writer.close), broken]);
  } finally {
    await client.end().catch(() => {});
  }
}

type Row = Record<string, string | null>;

async function findBeginning(client: Client, folder: string): Promise<{ timeline: number; from: bigint }> {
  const ask = async (command: string) => (await client.query<Row>(command)).rows[0] ?? {};
  const { systemid, timeline: text, xlogpos } = await ask("IDENTIFY_SYSTEM");
  await requireSameDatabase(folder, String(systemid));
  const timeline = Number(text);
  let slot = await ask(`READ_REPLICATION_SLOT "${ARCHIVE_NAME}"`);
  await requireContinued(folder, {
    isOurs: Boolean(slot.restart_lsn),
    timeline,
    at: segmentOf(parsePosition(String(xlogpos))),
  });
  if (timeline > 1) {
    const { content } = await ask(`TIMELINE_HISTORY ${timeline}`);
    await writeFile(join(folder, historyName(timeline)), String(content), { mode: 0o600, flush: true });
  }
  if (!slot.restart_lsn) {
    await client.query(`CREATE_REPLICATION_SLOT "${ARCHIVE_NAME}" PHYSICAL RESERVE_WAL`);
    slot = await ask(`READ_REPLICATION_SLOT "${ARCHIVE_NAME}"`);
  }
  // From the beginning of a file on, which is whole then, whatever was there of it.
  const from = segmentOf(parsePosition(String(slot.restart_lsn))) * BigInt(SEGMENT_BYTES);
  await syncFolder(folder);
  return { timeline, from };
}

/**
 * A backup that was restored alone has no slot, since none is in a backup: it would write its own story over the one that is
 * archived after that backup.
 */
async function requireContinued(
  folder: string,
  { isOurs, timeline, at }: { isOurs: boolean; timeline: number; at: bigint },
): Promise<void> {
  const last = await lastSegment(folder, timeline);
  if (isOurs ? last === null || last <= at : (await readdir(folder)).every((name) => !parseSegment(name)))
    return;
  throw new StartError(
    `${folder} holds a log that this database does not continue: restore with it, or name another folder for this database.`,
  );
}

async function requireSameDatabase(folder: string, systemId: string): Promise<void> {
  const file = join(folder, OWNER_FILE);
  const found = await readFile(file, "utf8").catch(() => null);
  if (found === null) await writeFile(file, `${systemId}\n`, { mode: 0o600, flush: true });
  else if (found.trim() !== systemId)
    throw new StartError(`${folder} is another database's archive: name a folder of its own.`);
}

type Connection = {
  stream: { pause(): void; resume(): void };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
};

/** Never resolves: it ends by failing. */
function stream(client: Client, command: string, writer: SegmentWriter, onBegun: () => void): Promise<never> {
  return new Promise((_, reject) => {
    let waiting: Part[] = [];
    let bytes = 0;
    let flushed = 0n;
    let isWriting = false;
    let connection: Connection;
    const confirm = () => connection.sendCopyFromChunk(statusOf(flushed));
    const alive = setInterval(confirm, ALIVE_EVERY_MS).unref();
    const fail = (error: Error) => {
      clearInterval(alive);
      reject(error);
    };
    /** Many commits that came meanwhile wait for one turn of the disk. */
    const writeAll = async () => {
      while (waiting.length > 0) {
        const parts = waiting;
        waiting = [];
        bytes = 0;
        for (const { lsn, data } of parts) await writer.write(lsn, data);
        flushed = await writer.flush();
        confirm();
        connection.stream.resume();
      }
      isWriting = false;
    };
    const take = (chunk: Buffer) => {
      const kind = String.fromCharCode(chunk[0] ?? 0);
      if (kind === "k" && chunk[17] === 1) confirm();
      if (kind !== "w") return;
      // The protocol's reader uses its memory again, so what stays is a copy.
      waiting.push({ lsn: chunk.readBigUInt64BE(1), data: Buffer.from(chunk.subarray(25)) });
      bytes += chunk.length;
      if (bytes > MOST_WAITING) connection.stream.pause();
      if (isWriting) return;
      isWriting = true;
      writeAll().catch(fail);
    };
    const ignore = () => {};
    client.query({
      submit(opened: unknown) {
        connection = opened as Connection;
        (opened as NodeJS.EventEmitter).once("replicationStart", onBegun);
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

/** Up to where the log is written, on the disk and, since nobody reads it, applied. */
function statusOf(lsn: bigint): Buffer {
  const status = Buffer.alloc(34);
  status.write("r");
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(lsn, at);
  status.writeBigUInt64BE(BigInt(Date.now() - PROTOCOL_EPOCH_MS) * 1000n, 25);
  return status;
}
