import type { Client, Submittable } from "pg";
import { withClient } from "#backend/postgres/with-client.ts";

/** A stream that is written to. */
type Sink = {
  write(chunk: Buffer): boolean;
  end(last: undefined): unknown;
  once(event: "drain" | "finish" | "close" | "error", listener: (error?: Error) => void): unknown;
};

/** Where the two things go that PostgreSQL sends; both end with the backup, and either ends it by closing. */
export type BaseBackupTarget = {
  /** The cluster's folder, as a tar archive. */
  archive: Sink;
  /** PostgreSQL's own list of the files with their checksums. */
  manifest: Sink;
};

// Everything that recovery needs comes along, and each page is held to its checksum while it is read.
const COMMAND =
  "BASE_BACKUP (LABEL 'npm run backup', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')";

/**
 * Has a running PostgreSQL send its whole cluster by its replication protocol: whatever was committed before it ends is in
 * it. `url` is of a login that may replicate. No client program is needed.
 */
export async function takeBaseBackup(url: string, target: BaseBackupTarget): Promise<void> {
  const { href } = withReplication(new URL(url));
  await withClient(href, "backup", async (client) => {
    // Lest the log is removed that the backup still has to send: the slot goes with this connection.
    await client.query(`CREATE_REPLICATION_SLOT "backup_${process.pid}" TEMPORARY PHYSICAL RESERVE_WAL`);
    await runBaseBackup(client, target);
  });
}

function withReplication(url: URL): URL {
  url.searchParams.set("replication", "database");
  return url;
}

type Connection = { stream: { pause(): void; resume(): void }; query(text: string): void };

async function runBaseBackup(client: Client, { archive, manifest }: BaseBackupTarget): Promise<void> {
  let into = archive;
  let archives = 0;
  let isWaiting = false;
  const begin = (next: Sink) => {
    into = next;
  };
  const take = (chunk: Buffer, connection: Connection): void => {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === "n") archives += 1;
    if (kind === "m") begin(manifest);
    // The protocol's reader uses its memory again, so what goes on is a copy.
    if (kind !== "d" || into.write(Buffer.from(chunk.subarray(1)))) return;
    // What had arrived already still comes: once is enough.
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
