import type { Client } from "pg";
import { type Pgoutput, PgoutputPlugin } from "pg-logical-replication";

/**
 * Creates a temporary slot on the connection that streams from it, so that both end together. (Replication commands are
 * the one place where PostgreSQL requires uppercase keywords.)
 */
export class TemporarySlotPlugin extends PgoutputPlugin {
  override async start(client: Client, slotName: string, lastLsn: string): Promise<unknown> {
    await client.query(`CREATE_REPLICATION_SLOT "${slotName}" TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
    return super.start(client, slotName, lastLsn);
  }

  /** Leaves values as PostgreSQL text: converting dates would alter them. */
  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer);
    if (message.tag === "relation") for (const column of message.columns) column.parser = (text) => text;
    return message;
  }
}
