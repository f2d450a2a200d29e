import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Upgrade } from "#backend/http/guarded-server.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { type ProcessGroup, SINGLE_PROCESS, shareOf } from "#backend/memory/process-group.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { createReadRights } from "./access/topic-rights.ts";
import { WindowSums } from "./access/window-sums.ts";
import { createPostgresChanges } from "./changes/postgres-changes.ts";
import { Rooms } from "./channels/rooms.ts";
import { type Cluster, type EncodedBroadcast, openCluster } from "./cluster/cluster.ts";
import type { Change } from "./feed/change-feed.ts";
import type { Context } from "./handlers/context.ts";
import { broadcastFromDatabase, isMessage } from "./handlers/database-broadcast.ts";
import { describeFigures } from "./handlers/figures.ts";
import { handleMessage, refuseFlood } from "./handlers/handle-message.ts";
import { handleHttp } from "./handlers/http-broadcast.ts";
import { leaveChannel } from "./handlers/leave-channel.ts";
import { sweepConnections } from "./handlers/sweep-connections.ts";
import { createJournal, type Journal } from "./journal/journal.ts";
import { sweepMessages } from "./journal/sweep-messages.ts";
import { Presence } from "./presence/presence.ts";
import type { UserBroadcast } from "./protocol/message.ts";
import { defaultRealtimeConfig, type RealtimeConfig } from "./realtime-config.ts";
import { type Admission, CLOSE, Connection, type ConnectionService } from "./sockets/connection.ts";
import { createUpgradeHandler } from "./sockets/upgrade-handler.ts";

export type RealtimeOptions = Partial<RealtimeConfig> & {
  /** A login that may assume the tokens' roles; a pool of the service's own. */
  database: Database;
  verifier: TokenVerifier;
  /** The processes that share the overall and the per-address limits. */
  processGroup?: ProcessGroup;
  /** The publication whose tables can be subscribed to; null without a change feed. */
  publication: string | null;
  /** Gets a line for the operator when something failed, was lost or had to be refused. */
  log?: (line: LogText) => void;
  /** Whether the change feed is currently running. */
  isFollowing?: () => boolean;
};

/** realtime/v1: WebSockets, and broadcasts over HTTP. */
export type Realtime = HttpHandler & {
  upgrade: Upgrade;
  /** Serves a socket after the handshake; `upgrade` calls it too. */
  accept(socket: WebSocket, wire: Duplex, admission: Admission): void;
  /** Takes a committed change from the change feed. */
  onChange(change: Change): void;
  /** Changes since this time (milliseconds since 1970) may have been missed. */
  onGap(since: number | null): void;
  /** Closes every socket and accepts no more; clients reconnect by themselves. */
  closeSockets(): void;
  /** Metrics in Prometheus's text format. */
  figures(): string;
  /** Open sockets in this process. */
  openSockets(): number;
  close(): Promise<void>;
};

export function createRealtime(options: RealtimeOptions): Realtime {
  const {
    database,
    verifier,
    publication,
    processGroup = SINGLE_PROCESS,
    log: write = () => {},
    isFollowing = () => false,
    ...given
  } = options;
  const log = (line: LogText) => write(logText`realtime: ${line}`);
  const journal = createJournal(log);
  const config = limitsOf({ ...defaultRealtimeConfig, ...given }, processGroup);
  const rooms = new Rooms();
  const connections = new Set<Connection>();
  const changes =
    publication === null ? null : createPostgresChanges({ database, publication, log, journal });
  const { cluster, presence } = joinCluster({ database, rooms, journal, signOfLifeMs: config.signOfLifeMs });
  const context: Context = {
    config,
    database,
    verifier,
    readRights: createReadRights({ database, privateOnly: config.privateOnly, log }),
    httpRates: new WindowSums(1_000),
    journal,
    rooms,
    presence,
    changes,
    delays: { count: 0, seconds: 0 },
    isFollowing,
    countSockets: () => connections.size,
    broadcast(room, broadcast, except) {
      rooms.broadcast(room, broadcast, except);
      cluster.publish({ kind: "broadcast", room, ...toClusterMessage(broadcast) });
    },
  };
  const accept = acceptInto(connections, context);
  const upgrades = createUpgradeHandler({ config, verifier, note: journal.note }, accept);

  const stopSweeping = [
    ...(processGroup.isLeader ? [sweepMessages(database, log)] : []),
    sweepConnections(connections, context),
  ];

  function closeSockets(): void {
    upgrades.close();
    for (const connection of connections) connection.close(CLOSE.restart, "Realtime is restarting");
  }

  return {
    upgrade: upgrades.upgrade,
    accept,
    handle: (request) => handleHttp(request, context),
    bodyAt: () => config.maxPayloadBytes,
    onGap: (since) => changes?.announceGap(since),
    onChange(change) {
      context.delays.count++;
      context.delays.seconds += Math.max(0, Date.now() - change.committedAt) / 1000;
      if (isMessage(change)) broadcastFromDatabase(change, rooms);
      else changes?.push(change);
    },
    closeSockets,
    figures: () => describeFigures(context),
    openSockets: context.countSockets,
    async close() {
      for (const stop of stopSweeping) stop();
      journal.close();
      closeSockets();
      changes?.close();
      presence.close();
      await cluster.close();
    },
  };
}

/** Takes over opened sockets, each until it closes. */
function acceptInto(connections: Set<Connection>, context: Context): Realtime["accept"] {
  const service: ConnectionService = {
    config: context.config,
    onMessage: (from, message) => handleMessage(from, message, context),
    onFlood: (channel) => refuseFlood(channel, context),
    note: context.journal.note,
  };
  return (socket, wire, admission) => {
    const connection = new Connection(socket, wire, admission, service);
    connections.add(connection);
    socket.on("close", () => {
      connections.delete(connection);
      for (const channel of [...connection.channels.values()]) leaveChannel(channel, context);
    });
  };
}

/**
 * Minimum limit per address: if one process gets all of an address's clients, those behind a shared NAT are not
 * refused.
 */
const LEAST_OF_AN_ADDRESS = 100;

function limitsOf(config: RealtimeConfig, processGroup: ProcessGroup): RealtimeConfig {
  const { maxConnections, maxConnectionsPerAddress, maxHttpMessagesPerSecond } = config;
  return {
    ...config,
    maxConnections: shareOf(maxConnections, processGroup),
    maxConnectionsPerAddress: shareOf(maxConnectionsPerAddress, processGroup, LEAST_OF_AN_ADDRESS),
    maxHttpMessagesPerSecond: shareOf(maxHttpMessagesPerSecond, processGroup, LEAST_OF_AN_ADDRESS),
  };
}

type Peers = { database: Database; rooms: Rooms; journal: Journal; signOfLifeMs: number };

/** Shares broadcasts and presence with the other processes on the database. */
function joinCluster({ database, rooms, journal, signOfLifeMs }: Peers): {
  cluster: Cluster;
  presence: Presence;
} {
  const id = randomUUID();
  const presence: Presence = new Presence({
    process: id,
    onDiff: (room, diff) => rooms.broadcastPresence(room, diff),
    onOwnChange: (room, joins, leaves) => cluster.publish({ kind: "presence", room, joins, leaves }),
  });
  const cluster = openCluster(
    { database, id, signOfLifeMs },
    {
      onMessage(process, message) {
        if (message.kind === "broadcast") return rooms.broadcast(message.room, fromClusterMessage(message));
        const joined = message.joins.map((entry) => ({ ...entry, process }));
        presence.applyRemote(message.room, joined, message.leaves);
      },
      onStateRequested() {
        for (const [room, joins] of presence.own())
          cluster.publish({ kind: "presence", room, joins, leaves: [] });
      },
      onProcessGone(process, isSilent) {
        presence.forget(process);
        if (isSilent) journal.note(logText`another process on this database has gone silent`);
      },
    },
  );
  return { cluster, presence };
}

function toClusterMessage({ event, ...content }: UserBroadcast): EncodedBroadcast {
  return "json" in content
    ? { event, json: content.json }
    : { event, base64: Buffer.from(content.bytes).toString("base64") };
}

function fromClusterMessage({ event, json, base64 }: EncodedBroadcast): UserBroadcast {
  return json === undefined ? { event, bytes: Buffer.from(base64 ?? "", "base64") } : { event, json };
}
