import type { Channel } from "../channels/channel.ts";
import type { Context } from "./context.ts";
import { closeWithReason } from "./leave-channel.ts";

const LOOK_EVERY_MS = 500;

/** Tells a channel as soon as messages from the database arrive; in time, or it is closed. */
export function tellOfReplication(channel: Channel, context: Context): void {
  const deadline = Date.now() + context.config.replicationTimeoutMs;
  look();

  function look(): void {
    if (channel.connection.channels.get(channel.topic) !== channel) return;
    if (context.isFollowing()) channel.sendSystem("system", "ok", "Replication connection established");
    else if (Date.now() < deadline) setTimeout(look, LOOK_EVERY_MS).unref();
    else closeWithReason(channel, "Replication connection was not established in time", context);
  }
}
