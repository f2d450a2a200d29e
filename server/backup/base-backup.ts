import type { Client, Submittable } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";

/** A writable stream. */
type Sink = {
  write(chunk: Buffer): boolean;
  end(last: undefined): unknown;
  once(event: "drain" | "finish" | "close" | "error", listener: (error?: Error) => void): unknown;
};

/** The two outputs of a base backup. Both end with the backup, and closing either one aborts it. */
export type BaseBackupTarget = {
  /** The cluster's folder, as a tar archive. */
  archive: Sink;
  /** PostgreSQL's backup manifest: the files and their checksums. */
  manifest: Sink;
};

// Includes all the WAL that recovery needs, and verifies page checksums while reading.
const COMMAND =
  "BASE_BACKUP (LABEL 'npm run backup', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')";

/**
 * Takes a base backup of a running PostgreSQL over the replication protocol: everything committed before the backup
 * ends is in it. `url` must belong to a login that may replicate. No client program is needed.
 */
export async function takeBaseBackup(url: string, target: BaseBackupTarget): Promise<void> {
  const replicating = new URL(url);
  replicating.searchParams.set("replication", "database");
  await withClient(replicating.href, "backup", async (client) => {
    // The slot keeps PostgreSQL from removing WAL that the backup has yet to send; it is dropped with this connection.
    await client.query(`CREATE_REPLICATION_SLOT "backup_${process.pid}" TEMPORARY PHYSICAL RESERVE_WAL`);
    await runBaseBackup(client, target);
  });
}

type Connection = { stream: { pause(): void; resume(): void }; query(text: string): void };

async function runBaseBackup(client: Client, { archive, manifest }: BaseBackupTarget): Promise<void> {
  let into = archive;
  let archives = 0;
  let isWaiting = false;
  const take = (chunk: Buffer, connection: Connection): void => {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === "n") archives += 1;
    if (kind === "m") into = manifest;
    // Copied, since the protocol parser reuses its buffer.
    if (kind !== "d" || into.write(Buffer.from(chunk.subarray(1)))) return;
    // Data that had already arrived still comes in after a pause; wait for the drain only once.
    if (isWaiting) return;
    isWaiting = true;
    connection.stream.pause();
    into.once("drain", () => {
      isWaiting = false;
      connection.stream.resume();
    });
  };
  const done = new Promise<void>((resolve, reject) => {
    for (const sink of [archive, manifest]) {
      sink.once("error", reject);
      sink.once("close", () => reject(new Error("what PostgreSQL sends cannot be written")));
    }
    client.query(submit(COMMAND, take, resolve, reject));
  });
  await done;
  if (archives !== 1) throw new Error("tables are kept in folders outside of the data folder");
  await Promise.all([archive, manifest].map(endSink));
}

function submit(
  command: string,
  onData: (chunk: Buffer, connection: Connection) => void,
  onEnd: () => void,
  onFailure: (error: Error) => void,
): Submittable {
  const ignore = () => {};
  return {
    submit: (connection: unknown) => (connection as Connection).query(command),
    handleRowDescription: ignore,
    handleDataRow: ignore,
    handleCommandComplete: ignore,
    handleCopyData: ({ chunk }: { chunk: Buffer }, connection: Connection) => onData(chunk, connection),
    handleReadyForQuery: onEnd,
    handleError: onFailure,
  } as Submittable;
}

function endSink(sink: Sink): Promise<void> {
  return new Promise((resolve) => {
    sink.once("finish", () => resolve());
    sink.end(undefined);
  });
}
