import type { Client } from "pg";
import { parseLsn } from "#backend/postgres/lsn.ts";
import { StartError } from "../configuration/start-error.ts";
import { ARCHIVE_NAME } from "./receive-wal.ts";
import { segmentOf } from "./segments.ts";
import type { ContinuingArchive } from "./stage-archive.ts";

const LAST = `
  select pg_last_xact_replay_timestamp() as until,
    pg_read_file('pg_wal/' || lpad(upper(to_hex(timeline_id)), 8, '0') || '.history') as history
  from pg_control_checkpoint()`;

/**
 * Verifies that recovery read the whole archive, and has PostgreSQL retain WAL from here on for the archive that
 * continues. Returns when the last transaction was committed; null if the archive had none.
 */
export async function endOfArchive(
  client: Client,
  { last }: Pick<ContinuingArchive, "last">,
): Promise<Date | null> {
  // The control file has the new timeline only after a checkpoint.
  await client.query("checkpoint");
  const { rows } = await client.query<{ until: Date | null; history: string }>(LAST);
  const { until = null, history = "" } = rows[0] ?? {};
  const [, lsn = "0/0"] = /\t([\dA-F]+\/[\dA-F]+)\t[^\n]*\s*$/.exec(history) ?? [];
  // The last segment may have been created without anything written to it yet.
  if (segmentOf(parseLsn(lsn)) + 1n < last)
    throw new StartError(
      `The archived log is broken at ${lsn}: restore the backup alone, without WAL_ARCHIVE_TO, or take a later backup.`,
    );
  await client.query("select pg_create_physical_replication_slot($1, true)", [ARCHIVE_NAME]);
  return until;
}
