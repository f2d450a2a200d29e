import type { Channel } from "../channels/channel.ts";
import type { Context } from "./context.ts";

/** Removes a channel from its connection, room, subscriptions and presence. */
export function leaveChannel(channel: Channel, context: Context): void {
  const { rooms, changes } = context;
  const { channels } = channel.connection;
  if (channels.get(channel.topic) === channel) channels.delete(channel.topic);
  rooms.leave(channel.room, channel);
  changes?.remove(channel);
  untrack(channel, context);
}

/** Removes a channel's presence entry, if it has one. */
export function untrack(channel: Channel, { presence }: Context): void {
  if (channel.presenceRef !== null) presence.untrack(channel.room, channel.presenceRef);
  channel.presenceRef = null;
}

export function closeChannel(channel: Channel, context: Context): void {
  leaveChannel(channel, context);
  channel.push("phx_close", {});
}

/** Closes a channel because of an error on the server's side; the client rejoins by itself. */
export function failChannel(channel: Channel, reason: string, context: Context): void {
  channel.sendSystem("system", "error", reason);
  leaveChannel(channel, context);
  channel.push("phx_error", {});
}

/** Closes a channel with a reason. */
export function closeWithReason(channel: Channel, reason: string, context: Context): void {
  channel.sendSystem("system", "error", reason);
  closeChannel(channel, context);
}
