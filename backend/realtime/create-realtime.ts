import { randomUUID } from "node:crypto";
import type { HttpHandler } from "#backend/http/http-message.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { AddressRates } from "./address-rates.ts";
import type { Change } from "./change-feed.ts";
import { createPostgresChanges } from "./changes/postgres-changes.ts";
import { type Cluster, type News, openCluster } from "./cluster/cluster.ts";
import { CLOSE, Connection } from "./connection.ts";
import type { Context } from "./context.ts";
import { handleMessage, refuseFlood } from "./handle-message.ts";
import { handleHttp } from "./http-broadcast.ts";
import { EXPIRED, isExpired } from "./identify.ts";
import { createJournal } from "./journal.ts";
import { leaveChannel, shutChannel } from "./leave-channel.ts";
import { Presence } from "./presence/presence.ts";
import type { UserBroadcast } from "./protocol/message.ts";
import { defaultRealtimeConfig, type RealtimeConfig } from "./realtime-config.ts";
import { Rooms, roomOf } from "./rooms.ts";
import { createSocketDoor, type Upgrade } from "./socket-door.ts";
import { sweepMessages } from "./sweep-messages.ts";
import { createTopicRights } from "./topic-rights.ts";

export type RealtimeOptions = Partial<RealtimeConfig> & {
  /** A login that may take the roles of the tokens; a pool of the service's own. */
  database: Database;
  verifier: TokenVerifier;
  /** The publication whose tables may be followed; null where nothing tells of changes. */
  publication: string | null;
  /** Gets a line for the operator when something failed, was lost, or had to be refused. */
  log?: (line: string) => void;
};

/** realtime/v1: websockets, and broadcasts by HTTP. */
export type Realtime = {
  upgrade: Upgrade;
  handle: HttpHandler;
  /** A committed change, from the change feed. */
  onChange(change: Change): void;
  /** Changes may have been missed. */
  onGap(): void;
  /** Says good-bye to every client, who will come back by itself, and lets nobody in any more. */
  closeSockets(): void;
  close(): Promise<void>;
};

const SWEEP_MS = 1_000;
const MISSED = "Changes may have been missed: read the tables again";

export function createRealtime(options: RealtimeOptions): Realtime {
  const { database, verifier, publication, log: write = () => {}, ...given } = options;
  const log = (line: string) => write(`realtime: ${line}`);
  const journal = createJournal(log);
  const config = { ...defaultRealtimeConfig, ...given };
  const id = randomUUID();
  const rooms = new Rooms();
  const connections = new Set<Connection>();
  const changes =
    publication === null ? null : createPostgresChanges({ database, publication, log, onLoss: tellGap });
  let cluster: Cluster;
  const presence = new Presence({
    process: id,
    onDiff: (room, diff) => rooms.tellPresence(room, diff),
    onOwnChange: (room, joins, leaves) => cluster.tell({ kind: "presence", room, joins, leaves }),
  });

  const context: Context = {
    config,
    verifier,
    rights: createTopicRights(database, log),
    httpRates: new AddressRates(config.maxHttpMessagesPerSecond),
    journal,
    rooms,
    presence,
    changes,
    broadcast(room, broadcast, except) {
      rooms.broadcast(room, broadcast, except);
      cluster.tell({ kind: "broadcast", room, ...toNews(broadcast) });
    },
  };

  function hear(process: string, news: News): void {
    if (news.kind === "broadcast") rooms.broadcast(news.room, fromNews(news));
    else {
      const joined = news.joins.map((place) => ({ ...place, process }));
      presence.hear(news.room, joined, news.leaves);
    }
  }

  cluster = openCluster(
    { database, id, signOfLifeMs: config.signOfLifeMs },
    {
      onNews: hear,
      onNeed: () => {
        for (const [room, joins] of presence.own())
          cluster.tell({ kind: "presence", room, joins, leaves: [] });
      },
      onGone: (process) => {
        presence.forget(process);
        journal.note("another process on this database is gone, or begins anew");
      },
    },
  );

  const door = createSocketDoor({ config, verifier, note: journal.note }, (socket, wire, admission) => {
    const connection = new Connection(socket, wire, {
      ...admission,
      config,
      onMessage: (from, message) => handleMessage(from, message, context),
      onFlood: (channel) => refuseFlood(channel, context),
      note: journal.note,
    });
    connections.add(connection);
    socket.on("close", () => {
      connections.delete(connection);
      for (const channel of [...connection.channels.values()]) leaveChannel(channel, context);
    });
  });

  /** Closes what has outlived its token, and who is not there any more. */
  function sweep(): void {
    const now = Date.now();
    for (const connection of connections) {
      if (now - connection.lastSeen > config.idleTimeoutMs) connection.terminate();
      for (const channel of connection.channels.values()) {
        if (channel.expiresAt <= now) shutChannel(channel, EXPIRED, context);
      }
      if (isExpired(connection.identity)) connection.close(CLOSE.policy, EXPIRED);
    }
  }
  const stopSweepingMessages = sweepMessages(database, log);
  const sweeping = setInterval(sweep, SWEEP_MS);
  sweeping.unref();

  function tellGap(): void {
    const everyone = [...(changes?.everyone() ?? [])];
    if (everyone.length > 0)
      journal.note("changes may have been missed; who follows tables is asked to read again");
    for (const subscriber of everyone) {
      subscriber.tell("postgres_changes", "error", MISSED);
      subscriber.tell("postgres_changes", "ok", "Subscribed to PostgreSQL");
    }
  }

  function closeSockets(): void {
    door.close();
    for (const connection of connections) connection.close(CLOSE.restart, "Realtime is restarting");
  }

  return {
    upgrade: door.upgrade,
    handle: (request) => handleHttp(request, context),
    onGap: tellGap,
    onChange(change) {
      if (change.schema === "realtime" && change.table === "messages") return sayFromDatabase(change, rooms);
      changes?.push(change);
    },
    closeSockets,
    async close() {
      clearInterval(sweeping);
      stopSweepingMessages();
      journal.close();
      closeSockets();
      changes?.close();
      presence.close();
      await cluster.close();
    },
  };
}

/** A row of `realtime.messages`: every process reads it from the log, so that none needs to tell the others. */
function sayFromDatabase({ type, row }: Change, rooms: Rooms): void {
  if (type !== "INSERT" || row?.extension !== "broadcast" || !row.topic) return;
  const broadcast = { event: row.event ?? "", json: row.payload ?? "{}" };
  rooms.broadcast(roomOf(row.topic, row.private === "t"), broadcast);
}

function toNews(broadcast: UserBroadcast): { event: string; json?: string; base64?: string } {
  return "json" in broadcast
    ? { event: broadcast.event, json: broadcast.json }
    : { event: broadcast.event, base64: Buffer.from(broadcast.bytes).toString("base64") };
}

function fromNews({ event, json, base64 }: { event: string; json?: string; base64?: string }): UserBroadcast {
  return json === undefined ? { event, bytes: Buffer.from(base64 ?? "", "base64") } : { event, json };
}
