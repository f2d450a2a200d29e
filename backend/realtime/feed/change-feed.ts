import { randomBytes } from "node:crypto";
import { LogicalReplicationService, type Pgoutput } from "pg-logical-replication";
import { getOrMake } from "#backend/memory/get-or-make.ts";
import { connectDatabase, type Query } from "#backend/postgres/database.ts";
import { KEEP_ALIVE } from "#backend/postgres/keep-alive.ts";
import { formatLsn, type Lsn, parseLsn } from "#backend/postgres/lsn.ts";
import { reopen } from "#backend/postgres/reopen.ts";
import { withClient } from "#backend/postgres/with-client.ts";
import { askRegularly } from "./ask-regularly.ts";
import { TemporarySlotPlugin } from "./temporary-slot-plugin.ts";
import { waitForCommit } from "./wait-for-commit.ts";

/** A row's columns as PostgreSQL text; undefined if not in the log (a large value that did not change). */
export type RowText = Readonly<Record<string, string | null | undefined>>;

/** A table at the time of the change. After a schema change, it is a new object. */
export type Relation = { oid: number; schema: string; name: string };

/** One committed change to one row; a `TRUNCATE` is one change per table. */
export type Change = {
  schema: string;
  table: string;
  type: "INSERT" | "UPDATE" | "DELETE" | "TRUNCATE";
  relation: Relation;
  /** Milliseconds since 1970. */
  committedAt: number;
  /** LSN of the commit: a server that has replayed the log up to it has the change. */
  position: Lsn;
  /** The new row, for INSERT and UPDATE. */
  row: RowText | null;
  /** The old row's columns that are in the log: its replica identity, which is the key unless set to FULL. */
  oldRow: RowText | null;
};

export type ChangeFeedOptions = {
  /** A user with REPLICATION, on a server with `wal_level=logical`. */
  url: string;
  /** The first must exist; the others are followed if they exist. */
  publications: readonly [string, ...string[]];
  /** Called in commit order, once the commit is visible to others. */
  onChange: (change: Change) => void;
  /**
   * Called when the feed starts or reconnects: commits up to now may have been missed since this time, in milliseconds
   * since 1970; null the first time.
   */
  onGap: (since: number | null) => void;
  /** How many milliseconds the database may be silent before the connection counts as failed. */
  patience?: number;
};

export type ChangeFeed = {
  /** Whether changes are currently arriving. */
  isLive(): boolean;
  close(): Promise<void>;
};

/** The database cannot provide a change feed; the message says why and what to configure. */
export class ChangeFeedUnavailableError extends Error {
  override name = "ChangeFeedUnavailableError";
}

const DEFAULT_PATIENCE = 10_000;
// Overrides the database's own settings: values are formatted as clients of the REST service expect them.
const OUTPUT =
  "-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c bytea_output=hex";

/**
 * Follows commits to the published tables by logical decoding. The slot is temporary: it is dropped with its
 * connection, so that a killed process leaves no slot behind that would retain WAL.
 * Resolves once changes are streaming; rejects with `ChangeFeedUnavailableError` if the database does not support it.
 */
export async function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const publications = await requireLogicalDecoding(options);
  /** Commit time of the last delivered change: commits arrive in order, so all earlier ones were delivered. */
  let toldUntil: number | null = null;
  const onChange = (change: Change) => {
    toldUntil = change.committedAt;
    options.onChange(change);
  };
  const start = async () => {
    const began = Date.now();
    const service = await follow({ ...options, onChange }, publications);
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
      // The service's timer outlives its connection.
      await service.destroy().catch(() => {});
      const next = await reopen(start, () => closed);
      if (!next) return;
      service = next;
      isLive = true;
      if (closed) await service.destroy();
    }
  }
  void keepFollowing();

  return {
    isLive: () => isLive,
    async close() {
      closed = true;
      await service.destroy();
    },
  };
}

/** Returns the publications that exist. */
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
  { url, onChange, patience = DEFAULT_PATIENCE }: ChangeFeedOptions,
  publicationNames: string[],
): Promise<LogicalReplicationService> {
  const service = new LogicalReplicationService(
    {
      connectionString: url,
      application_name: "change feed",
      connectionTimeoutMillis: patience,
      ...KEEP_ALIVE,
      options: OUTPUT,
    },
    // The listener's promise is awaited before the next message; PostgreSQL waits that long.
    { flowControl: { enabled: true } },
  );
  service.on("error", () => {});
  // Replaced with the stream's connection: what cut off one, such as a restarted firewall, cut off both.
  const database = connectDatabase({ url, max: 1, applicationName: "change feed" });
  const silence = askRegularly(service, patience);
  const query: Query = async (...statement) => {
    const rows = await database.query(...statement);
    silence.hear();
    return rows;
  };
  const toChanges = createChangeReader();
  service.on("data", (_lsn: string, message: Pgoutput.Message) => {
    silence.hear();
    for (const change of toChanges(message)) onChange(change);
    // What cannot be waited for is not delivered: the feed reconnects and announces a gap.
    return message.tag === "begin"
      ? waitForCommit({ query }, message.xid).catch(async () => void (await service.stop()))
      : undefined;
  });
  // A server that shuts down waits until exactly what it wrote is confirmed; the library adds one byte to what it is
  // given.
  service.on("heartbeat", (lsn: string, _timestamp: number, shouldRespond: boolean) => {
    silence.hear();
    if (shouldRespond) void service.acknowledge(formatLsn(parseLsn(lsn) - 1n));
  });
  const started = new Promise<void>((resolve) => service.on("start", resolve));
  const plugin = new TemporarySlotPlugin({ protoVersion: 1, publicationNames });
  const streaming = service.subscribe(plugin, `feed_${randomBytes(8).toString("hex")}`);
  const end = () => {
    silence.end();
    // Not awaited: an unresponsive database does not answer the termination either.
    database.close().catch(() => {});
  };
  endings.set(service, streaming.then(end, end));
  await Promise.race([started, streaming]).catch(async (cause: unknown) => {
    await service.destroy();
    throw cause;
  });
  return service;
}

/** Reads the messages of one connection; a transaction's begin message applies to its changes. */
function createChangeReader(): (message: Pgoutput.Message) => Change[] {
  const relations = new WeakMap<Pgoutput.MessageRelation, Relation>();
  let committedAt = 0;
  let position: Lsn = 0n;

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
        position = parseLsn(message.commitLsn ?? "0/0");
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
