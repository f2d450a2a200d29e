import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { LogicalReplicationService, type Pgoutput } from "pg-logical-replication";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { formatPosition, type Position, parsePosition } from "#backend/postgres/position.ts";
import { withClient } from "#backend/postgres/with-client.ts";
import { TemporarySlotPlugin } from "./temporary-slot-plugin.ts";
import { waitForCommit } from "./wait-for-commit.ts";

/** A row's columns as PostgreSQL writes them; undefined where the log does not say (a large value that did not change). */
export type RowText = Readonly<Record<string, string | null | undefined>>;

/** A table at the time of the change. A later shape of it is another object. */
export type Relation = { oid: number; schema: string; name: string };

/** One committed change of one row; `TRUNCATE` comes once for each table. */
export type Change = {
  schema: string;
  table: string;
  type: "INSERT" | "UPDATE" | "DELETE" | "TRUNCATE";
  relation: Relation;
  /** Milliseconds since 1970. */
  committedAt: number;
  /** Where in the log of the database the commit is noted: who has more of that has the change. */
  position: Position;
  /** The row as it is now: of INSERT and UPDATE. */
  row: RowText | null;
  /** What the log has of the row as it was: its replica identity, which is the key unless it was set to FULL. */
  oldRow: RowText | null;
};

export type ChangeFeedOptions = {
  /** A user that may replicate, on a server with `wal_level=logical`. */
  url: string;
  /** The first must be there; the others are followed where they are. */
  publications: readonly [string, ...string[]];
  /** Called in commit order, as soon as others can read what was committed. */
  onChange: (change: Change) => void;
  /**
   * Called when the feed begins or comes back: what was committed until now may have been missed, since this time, in
   * milliseconds since 1970; since ever, the first time.
   */
  onGap: (since: number | null) => void;
};

export type ChangeFeed = {
  /** Whether changes arrive at the moment. */
  isLive(): boolean;
  close(): Promise<void>;
};

/** The database cannot give a change feed; the message says why, and what to set. */
export class ChangeFeedUnavailableError extends Error {
  override name = "ChangeFeedUnavailableError";
}

const MIN_DELAY = 100;
const MAX_DELAY = 2_000;
// Whatever the database's own settings are: values are written as the REST service's clients expect them.
const OUTPUT = "-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1";

/**
 * Follows what is committed to the tables of publications, by logical decoding. The slot is temporary: it goes with
 * its connection, so that a killed process leaves nothing behind that would hold back PostgreSQL's log.
 * Resolves when changes flow; rejects with `ChangeFeedUnavailableError` where they never can.
 */
export async function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const publications = await requireLogicalDecoding(options);
  const database = connectDatabase({ url: options.url, max: 1, applicationName: "change feed" });
  /** Commits come in their order: up to that of this time, all were told. */
  let toldUntil: number | null = null;
  const onChange = (change: Change) => {
    toldUntil = change.committedAt;
    options.onChange(change);
  };
  const start = async () => {
    const began = Date.now();
    const service = await follow({ ...options, onChange }, publications, database);
    options.onGap(toldUntil);
    toldUntil ??= began;
    return service;
  };
  let service = await start();
  let closed = false;
  let isLive = true;

  async function keepFollowing(): Promise<void> {
    while (!closed) {
      await endings.get(service);
      isLive = false;
      // Its timer outlives its connection.
      await service.destroy().catch(() => {});
      for (let delay = MIN_DELAY; !closed; delay = Math.min(delay * 2, MAX_DELAY)) {
        await wait(delay, undefined, { ref: false });
        const next = closed ? null : await start().catch(() => null);
        if (!next) continue;
        service = next;
        isLive = true;
        if (closed) await service.destroy();
        break;
      }
    }
  }
  void keepFollowing();

  return {
    isLive: () => isLive,
    async close() {
      closed = true;
      await service.destroy();
      await database.close();
    },
  };
}

/** Gives those of the publications that are there. */
function requireLogicalDecoding({ url, publications }: ChangeFeedOptions): Promise<string[]> {
  return withClient(url, "change feed", async (client) => {
    const { rows } = await client.query(
      `select current_setting('wal_level') as level,
              array(select pubname::text from pg_publication where pubname = any($1)) as published,
              (select rolreplication or rolsuper from pg_roles where rolname = current_user) as allowed`,
      [publications],
    );
    const { level, published, allowed } = rows[0];
    const [first] = publications;
    if (level !== "logical") throw new ChangeFeedUnavailableError(`wal_level is ${level}, not logical`);
    if (!published.includes(first)) throw new ChangeFeedUnavailableError(`there is no publication ${first}`);
    if (!allowed) throw new ChangeFeedUnavailableError("the database user has no REPLICATION attribute");
    return published;
  });
}

const endings = new WeakMap<LogicalReplicationService, Promise<void>>();

async function follow(
  { url, onChange }: ChangeFeedOptions,
  publicationNames: string[],
  database: Database,
): Promise<LogicalReplicationService> {
  const service = new LogicalReplicationService(
    { connectionString: url, application_name: "change feed", options: OUTPUT },
    // What the listener returns is awaited before the next message, and PostgreSQL waits as long.
    { flowControl: { enabled: true } },
  );
  service.on("error", () => {});
  const toChanges = createChangeReader();
  service.on("data", (_lsn: string, message: Pgoutput.Message) => {
    for (const change of toChanges(message)) onChange(change);
    return message.tag === "begin" ? waitForCommit(database, message.xid) : undefined;
  });
  // A server that shuts down waits until exactly what it wrote is confirmed; the library confirms one byte more than it is told.
  service.on("heartbeat", (lsn: string, _timestamp: number, shouldRespond: boolean) => {
    if (shouldRespond) void service.acknowledge(formatPosition(parsePosition(lsn) - 1n));
  });
  const started = new Promise<void>((resolve) => service.on("start", resolve));
  const plugin = new TemporarySlotPlugin({ protoVersion: 1, publicationNames });
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
  return service;
}

/** Reads one connection's messages: what a transaction's first one says counts for its changes. */
function createChangeReader(): (message: Pgoutput.Message) => Change[] {
  const relations = new WeakMap<Pgoutput.MessageRelation, Relation>();
  let committedAt = 0;
  let position: Position = 0n;

  function toChange(
    message: Pgoutput.MessageRelation,
    type: Change["type"],
    row: RowText | null,
    oldRow: RowText | null,
  ): Change {
    const relation = getOrMake(relations, message, () => ({
      oid: message.relationOid >>> 0,
      schema: message.schema,
      name: message.name,
    }));
    return {
      schema: relation.schema,
      table: relation.name,
      type,
      relation,
      committedAt,
      position,
      row,
      oldRow,
    };
  }

  return (message) => {
    switch (message.tag) {
      case "begin":
        committedAt = Number(message.commitTime.valueOf() / 1000n);
        position = parsePosition(message.commitLsn ?? "0/0");
        return [];
      case "insert":
        return [toChange(message.relation, "INSERT", message.new, null)];
      case "update":
        return [toChange(message.relation, "UPDATE", message.new, message.old ?? message.key)];
      case "delete":
        return [toChange(message.relation, "DELETE", null, message.old ?? message.key)];
      case "truncate":
        return message.relations.map((relation) => toChange(relation, "TRUNCATE", null, null));
      default:
        return [];
    }
  };
}
