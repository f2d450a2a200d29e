import type { Client } from "pg";
import { parsePosition } from "#backend/postgres/position.ts";
import { StartError } from "../configuration/start-error.ts";
import { ARCHIVE_NAME } from "./receive-wal.ts";
import { segmentOf } from "./segments.ts";
import type { ContinuingArchive } from "./stage-archive.ts";

const LAST = `
  select pg_last_xact_replay_timestamp() as until,
    pg_read_file('pg_wal/' || lpad(upper(to_hex(timeline_id)), 8, '0') || '.history') as history
  from pg_control_checkpoint()`;

/**
 * Looks whether PostgreSQL read all of the archive, where it ended recovery, and has it keep its log from here on for the
 * archive that goes on. Gives when the last transaction was confirmed; null where the archive had none.
 */
export async function endOfArchive(
  client: Client,
  { last }: Pick<ContinuingArchive, "last">,
): Promise<Date | null> {
  // Only then the new timeline is in the control file.
  await client.query("checkpoint");
  const { rows } = await client.query<{ until: Date | null; history: string }>(LAST);
  const { until = null, history = "" } = rows[0] ?? {};
  const [, lsn = "0/0"] = /\t([\dA-F]+\/[\dA-F]+)\t[^\n]*\s*$/.exec(history) ?? [];
  // The last file may have been opened, and nothing been written to it yet.
  if (segmentOf(parsePosition(lsn)) + 1n < last)
    throw new StartError(
      `The archived log is broken at ${lsn}: restore the backup alone, without WAL_ARCHIVE_TO, or take a later backup.`,
    );
  await client.query("select pg_create_physical_replication_slot($1, true)", [ARCHIVE_NAME]);
  return until;
}
