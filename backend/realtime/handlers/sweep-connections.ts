import type { Database } from "#backend/postgres/database.ts";
import { EXPIRED, isExpired, REVOKED } from "../access/identify.ts";
import { watchRights } from "../access/watch-rights.ts";
import type { Channel } from "../channels/channel.ts";
import { CLOSE, type Connection } from "../sockets/connection.ts";
import type { Context } from "./context.ts";
import { refreshRights } from "./handle-message.ts";
import { DATABASE_AWAY } from "./join-channel.ts";
import { closeWithReason, failChannel } from "./leave-channel.ts";

const SWEEP_MS = 1_000;

/**
 * Closes idle connections, and connections and channels whose token, session or rights have ended; returns a stop
 * function.
 */
export function sweepConnections(
  connections: ReadonlySet<Connection>,
  database: Database,
  context: Context,
): () => void {
  const timer = setInterval(() => {
    for (const connection of connections) sweepConnection(connection, context);
  }, SWEEP_MS);
  timer.unref();
  const stopWatching = watchRights({
    database,
    holders: () => privateChannels(connections),
    refresh: (channel) => refreshRights(channel, context),
  });
  return () => {
    clearInterval(timer);
    stopWatching();
  };
}

function sweepConnection(connection: Connection, context: Context): void {
  const { config, verifier } = context;
  const now = performance.now();
  if (now - connection.lastSeen > config.idleTimeoutMs) connection.terminate();
  connection.requireProgress(now);
  for (const channel of [...connection.channels.values()]) sweepChannel(channel, context);
  if (isExpired(connection.identity)) connection.close(CLOSE.policy, EXPIRED);
  else if (verifier.standing(connection.identity) === "revoked") connection.close(CLOSE.policy, REVOKED);
}

function sweepChannel(channel: Channel, context: Context): void {
  const standing = context.verifier.standing(channel.identity);
  if (channel.expiresAt <= Date.now()) closeWithReason(channel, EXPIRED, context);
  else if (standing === "revoked") closeWithReason(channel, REVOKED, context);
  // The client rejoins by itself; it is refused until the database is back.
  else if (standing === "unknown") failChannel(channel, DATABASE_AWAY, context);
}

function* privateChannels(connections: Iterable<Connection>): Iterable<Channel> {
  for (const { channels } of connections) {
    for (const channel of channels.values()) if (channel.config.private) yield channel;
  }
}
