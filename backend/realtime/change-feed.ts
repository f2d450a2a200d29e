import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { LogicalReplicationService, type Pgoutput } from "pg-logical-replication";
import { TemporarySlotPlugin } from "./temporary-slot-plugin.ts";

/** One committed change of one row; `TRUNCATE` comes once for each table. */
export type Change = { schema: string; table: string; type: "INSERT" | "UPDATE" | "DELETE" | "TRUNCATE" };

export type ChangeFeedOptions = {
  /** A user that may replicate, on a server with `wal_level=logical`. */
  url: string;
  publication: string;
  /** Called after the commit, in commit order. */
  onChange: (change: Change) => void;
  /** Called when the feed begins or comes back: what was committed until now may have been missed. */
  onGap: () => void;
};

export type ChangeFeed = { close(): Promise<void> };

/** The database cannot give a change feed; the message says why, and what to set. */
export class ChangeFeedUnavailableError extends Error {
  override name = "ChangeFeedUnavailableError";
}

const FIRST_DELAY = 100;
const LONGEST_DELAY = 2_000;

/**
 * Follows what is committed to the tables of a publication, by logical decoding. The slot is temporary: it goes with
 * its connection, so that a killed process leaves nothing behind that would hold back PostgreSQL's log.
 * Resolves when changes flow; rejects with `ChangeFeedUnavailableError` where they never can.
 */
export async function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  await requireLogicalDecoding(options);
  let service = await follow(options);
  let closed = false;

  async function keepFollowing(): Promise<void> {
    while (!closed) {
      await endings.get(service);
      for (let delay = FIRST_DELAY; !closed; delay = Math.min(delay * 2, LONGEST_DELAY)) {
        await wait(delay, undefined, { ref: false });
        const next = closed ? null : await follow(options).catch(() => null);
        if (!next) continue;
        service = next;
        if (closed) await service.destroy();
        break;
      }
    }
  }
  void keepFollowing();

  return {
    async close() {
      closed = true;
      await service.destroy();
    },
  };
}

async function requireLogicalDecoding({ url, publication }: ChangeFeedOptions): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "change feed" });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select current_setting('wal_level') as level,
              exists (select from pg_publication where pubname = $1) as published,
              (select rolreplication or rolsuper from pg_roles where rolname = current_user) as allowed`,
      [publication],
    );
    const { level, published, allowed } = rows[0];
    if (level !== "logical") throw new ChangeFeedUnavailableError(`wal_level is ${level}, not logical`);
    if (!published) throw new ChangeFeedUnavailableError(`there is no publication ${publication}`);
    if (!allowed) throw new ChangeFeedUnavailableError("the database user has no REPLICATION attribute");
  } finally {
    await client.end();
  }
}

const endings = new WeakMap<LogicalReplicationService, Promise<void>>();

async function follow({
  url,
  publication,
  onChange,
  onGap,
}: ChangeFeedOptions): Promise<LogicalReplicationService> {
  const service = new LogicalReplicationService({ connectionString: url, application_name: "change feed" });
  service.on("error", () => {});
  service.on("data", (_lsn: string, message: Pgoutput.Message) => {
    for (const change of toChanges(message)) onChange(change);
  });
  const started = new Promise<void>((resolve) => service.on("start", resolve));
  const plugin = new TemporarySlotPlugin({ protoVersion: 1, publicationNames: [publication] });
  const streaming = service.subscribe(plugin, `feed_${randomBytes(8).toString("hex")}`);
  endings.set(
    service,
    streaming.then(
      () => {},
      () => {},
    ),
  );
  await Promise.race([started, streaming]).catch(async (cause: unknown) => {
    await service.destroy();
    throw cause;
  });
  onGap();
  return service;
}

function toChanges(message: Pgoutput.Message): Change[] {
  switch (message.tag) {
    case "insert":
    case "update":
    case "delete":
      return [changeOf(message.relation, message.tag.toUpperCase() as Change["type"])];
    case "truncate":
      return message.relations.map((relation) => changeOf(relation, "TRUNCATE"));
    default:
      return [];
  }
}

function changeOf(relation: { schema: string; name: string }, type: Change["type"]): Change {
  return { schema: relation.schema, table: relation.name, type };
}
