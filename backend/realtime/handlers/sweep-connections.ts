import { listenWhenUp } from "#backend/postgres/listen.ts";
import { EXPIRED, isExpired, REVOKED } from "../access/identify.ts";
import type { Channel } from "../channels/channel.ts";
import { CLOSE, type Connection } from "../sockets/connection.ts";
import type { Context } from "./context.ts";
import { refreshRights } from "./handle-message.ts";
import { DATABASE_AWAY } from "./join-channel.ts";
import { closeWithReason, failChannel } from "./leave-channel.ts";

const SWEEP_MS = 1_000;
/** Notified when rights change; the payload is a user id, or empty for all users. */
const RIGHTS_CHANNEL = "realtime_rights";
/** Without a notification, rights are refreshed this often, a few channels per sweep, least recently checked first. */
const REFRESH_EVERY = 3_000;
/** A refresh costs writes that are rolled back. */
const MAX_REFRESHED = 10;
const PAUSE_AFTER_FAILURE = 10_000;

/**
 * Closes idle connections, and connections and channels whose token, session or rights have ended. Rights are refreshed
 * at once after a notification, and all of them periodically, since a policy may depend on data that triggers none.
 * Returns a stop function.
 */
export function sweepConnections(connections: ReadonlySet<Connection>, context: Context): () => void {
  let pausedUntil = 0;

  async function refreshAll(channels: readonly Channel[]): Promise<void> {
    const results = await Promise.allSettled(channels.map((channel) => refreshRights(channel, context)));
    if (results.some(({ status }) => status === "rejected"))
      pausedUntil = performance.now() + PAUSE_AFTER_FAILURE;
  }

  const notifications = listenWhenUp(context.database, RIGHTS_CHANNEL, (payload) => {
    // Null: the listener was disconnected and may have missed notifications.
    const isMeant = ({ identity }: Channel) => !payload || identity.claims.sub === payload;
    void refreshAll([...privateChannels(connections)].filter(isMeant));
  });
  notifications.ensure();
  const timer = setInterval(() => {
    for (const connection of connections) sweepConnection(connection, context);
    if (performance.now() >= pausedUntil) void refreshAll(dueChannels(connections));
  }, SWEEP_MS).unref();
  return () => {
    clearInterval(timer);
    void notifications.close();
  };
}

/** The channels whose rights are to be checked again now. */
function dueChannels(connections: Iterable<Connection>): Channel[] {
  const before = performance.now() - REFRESH_EVERY;
  const due = [...privateChannels(connections)].filter(({ rightsCheckedAt }) => rightsCheckedAt <= before);
  return due.sort((a, b) => a.rightsCheckedAt - b.rightsCheckedAt).slice(0, MAX_REFRESHED);
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
