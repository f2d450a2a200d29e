import { logText, quoteScrubbed } from "#backend/log/log-text.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { identify } from "../access/identify.ts";
import type { Rights } from "../access/topic-rights.ts";
import type { Channel } from "../channels/channel.ts";
import { readAccessToken } from "../protocol/join-config.ts";
import { isRecord, isShort, type Message, type UserBroadcast } from "../protocol/message.ts";
import { RefusedError } from "../refused-error.ts";
import { type Connection, TOO_MANY } from "../sockets/connection.ts";
import type { Context } from "./context.ts";
import {
  DATABASE_AWAY,
  followChanges,
  joinChannel,
  noRight,
  prepareChanges,
  sendPresenceState,
} from "./join-channel.ts";
import { closeChannel, closeWithReason, failChannel, leaveChannel, untrack } from "./leave-channel.ts";

/** Handles one message of a client. */
export function handleMessage(
  connection: Connection,
  message: Message,
  context: Context,
): void | Promise<void> {
  if (message.event === "phx_join") return joinChannel(connection, message, context);
  if (message.event === "phx_leave" && leaveWaiting(connection, message, context)) return;
  const channel = connection.channels.get(message.topic);
  if (!channel) return connection.reply(message, "error", { reason: "unmatched topic" });
  // The message belongs to an earlier join of this topic.
  if (message.joinRef !== null && message.joinRef !== channel.joinRef) return;
  switch (message.event) {
    case "phx_leave":
      return leave(channel, message, context);
    case "access_token":
      return changeToken(channel, readAccessToken(message.payload), context);
    case "broadcast":
      return relayBroadcast(channel, message, context);
    case "presence":
      return changePresence(channel, message, context);
  }
}

/** Ends a join that waits, and the channel that it was to replace. */
function leaveWaiting(connection: Connection, message: Message, context: Context): boolean {
  const { topic, joinRef } = message;
  const waiting = connection.waiting.get(topic);
  if (!waiting || (joinRef !== null && joinRef !== waiting.joinRef)) return false;
  connection.waiting.delete(topic);
  const before = connection.channels.get(topic);
  if (before) closeChannel(before, context);
  leave(waiting, message, context);
  return true;
}

function leave(channel: Channel, { ref }: Message, context: Context): void {
  leaveChannel(channel, context);
  channel.reply(ref, "ok");
  channel.push("phx_close", {});
}

/** Applies a new token as a new identity: its rights and subscriptions are checked again. */
async function changeToken(channel: Channel, token: string | null, context: Context): Promise<void> {
  const { verifier, readRights } = context;
  try {
    const identity = token === null ? channel.connection.identity : await identify(verifier, token);
    if (identity === channel.identity) return;
    const { name } = channel;
    const allowed = await readRights({ name, isPrivate: channel.config.private }, identity);
    const prepared = await prepareChanges(channel.config, identity, context);
    // The channel was closed meanwhile: its old token expired, or its connection closed.
    if (!isStillThere(channel)) return;
    if (losesReadRight(channel.rights, allowed))
      return closeWithReason(channel, noRight(channel.name), context);
    // Synchronously, so that no change is lost between the two tokens.
    grant(channel, identity, allowed, context);
    followChanges(channel, prepared, context);
  } catch (cause) {
    if (cause instanceof RefusedError) closeWithReason(channel, cause.message, context);
    else if (isStillThere(channel)) failChannel(channel, DATABASE_AWAY, context);
  }
}

const isStillThere = (channel: Channel) => channel.connection.channels.get(channel.topic) === channel;
const losesReadRight = (before: Rights, now: Rights) =>
  (before.broadcast.read && !now.broadcast.read) || (before.presence.read && !now.presence.read);

/**
 * Checks a channel's rights again, since a policy, grant or role may have changed. Rejects if the database does not
 * answer.
 */
export async function refreshRights(channel: Channel, context: Context): Promise<void> {
  channel.rightsCheckedAt = performance.now();
  const { name, identity, rights } = channel;
  const allowed = await context.readRights({ name, isPrivate: channel.config.private }, identity);
  if (!isStillThere(channel) || channel.identity !== identity) return;
  if (losesReadRight(rights, allowed)) return closeWithReason(channel, noRight(name), context);
  grant(channel, identity, allowed, context);
}

/** Applies new rights; a presence entry they do not allow, or of another user, is removed. */
function grant(channel: Channel, identity: Identity, allowed: Rights, context: Context): void {
  const { rights: before, presenceKey, receivesPresence } = channel;
  channel.identity = identity;
  channel.rights = allowed;
  channel.rightsCheckedAt = performance.now();
  const isLess = before.presence.payload && !allowed.presence.payload;
  if (!allowed.presence.write || isLess || channel.presenceKey !== presenceKey) untrack(channel, context);
  // Without the state, clients do not apply what changes it.
  if (channel.receivesPresence && !receivesPresence) sendPresenceState(channel, context);
}

/** Sent to a client that asks for a broadcast to be persisted, so that it does not rely on it. */
export const NOT_KEPT =
  "PersistNotSupported: Broadcasts of clients are not kept; what is to be replayed is sent by the database";

function relayBroadcast(channel: Channel, { ref, payload }: Message, context: Context): void {
  const { config, rights, room } = channel;
  if (!rights.broadcast.write) {
    if (config.ack)
      channel.reply(ref, "error", { reason: "Unauthorized: You may not write to this Channel topic" });
    return;
  }
  const broadcast = payload as UserBroadcast;
  if (broadcast.persist) {
    channel.reply(ref, "error", { reason: NOT_KEPT, error: NOT_KEPT });
    return;
  }
  context.broadcast(room, broadcast, config.self ? null : channel);
  if (config.ack) channel.reply(ref, "ok");
}

function changePresence(channel: Channel, { ref, payload }: Message, context: Context): void {
  const isFlood = !channel.presenceRate.take();
  const problem = isFlood ? null : tryPresence(channel, isRecord(payload) ? payload : {}, context);
  if (isFlood) refuseFlood(channel, context, "Client presence rate limit exceeded");
  else if (problem === null) channel.reply(ref, "ok");
  else channel.reply(ref, "error", { reason: problem });
}

/** Returns the reason for a refusal, or null on success. */
function tryPresence(channel: Channel, request: Record<string, unknown>, context: Context): string | null {
  const event = String(request.event).toLowerCase();
  if (event === "untrack") untrack(channel, context);
  else if (event !== "track") return "Unknown presence event";
  else {
    const { payload: meta = {} } = request;
    if (!channel.rights.presence.write)
      return "Unauthorized: You may not track presence in this Channel topic";
    if (!isRecord(meta)) return "Presence track payload must be a map";
    if (!channel.rights.presence.payload && Object.keys(meta).length > 0)
      return "Unauthorized: You may not track a payload in this Channel topic";
    const { maxPresenceBytes } = context.config;
    if (!isShort(meta, maxPresenceBytes))
      return `Presence track payload is longer than ${maxPresenceBytes} bytes`;
    track(channel, meta, context);
  }
  return null;
}

function track(channel: Channel, meta: Record<string, unknown>, context: Context): void {
  const { room, presenceKey, presenceRef } = channel;
  channel.presenceRef = context.presence.track(room, presenceKey, meta, presenceRef);
  if (channel.presenceEnabled) return;
  // Tracking enables presence even if the join did not.
  channel.presenceEnabled = true;
  if (channel.receivesPresence) sendPresenceState(channel, context);
}

/** Closes the channel of a client that exceeds a rate. */
export function refuseFlood(channel: Channel, context: Context, reason = TOO_MANY): void {
  context.journal.note(logText`a channel was closed: ${quoteScrubbed(reason)}`);
  closeWithReason(channel, reason, context);
}
