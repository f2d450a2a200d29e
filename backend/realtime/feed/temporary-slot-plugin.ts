import type { Client } from "pg";
import { type Pgoutput, PgoutputPlugin } from "pg-logical-replication";

/**
 * Makes its slot on the very connection that streams from it, and as a temporary one: both end together.
 * (Replication commands are the one place where PostgreSQL wants its key words in capitals.)
 */
export class TemporarySlotPlugin extends PgoutputPlugin {
  override async start(client: Client, slotName: string, lastLsn: string): Promise<unknown> {
    await client.query(`CREATE_REPLICATION_SLOT "${slotName}" TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
    return super.start(client, slotName, lastLsn);
  }

  /** Leaves values as PostgreSQL wrote them: a date made of them would be another one. */
  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer);
    if (message.tag === "relation") for (const column of message.columns) column.parser = (text) => text;
    return message;
  }
}
