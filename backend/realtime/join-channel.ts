import type { Identity } from "#backend/tokens/identity.ts";
import { idOfRequest } from "./changes/change-spec.ts";
import type { Prepared } from "./changes/prepare-wishes.ts";
import { Channel, isGoodName, LONGEST_NAME, nameOf, OPEN_RIGHTS } from "./channel.ts";
import type { Connection } from "./connection.ts";
import type { Context } from "./context.ts";
import { identify, TokenRefusedError } from "./identify.ts";
import { type JoinConfig, readJoinConfig } from "./join-config.ts";
import { closeChannel } from "./leave-channel.ts";
import type { Message } from "./protocol/message.ts";

/** Why somebody may not join, as the client is told. */
class JoinRefusedError extends Error {
  override name = "JoinRefusedError";
}

const MOST_WISHES = 100;
export const DATABASE_AWAY =
  "UnableToConnectToProject: Realtime was unable to connect to the project database";

/** Answers `phx_join`: with the ids of the wishes, or with the reason why not. */
export async function joinChannel(connection: Connection, message: Message, context: Context): Promise<void> {
  try {
    const channel = await openChannel(connection, message, context);
    const prepared = await prepareChanges(channel.config, channel.identity, context);
    const { changes } = channel.config;
    const response = { postgres_changes: changes.map((wish) => ({ ...wish, id: idOfRequest(wish) })) };
    // The client went away meanwhile, and with it the moment at which its channels are cleared away.
    if (!connection.isOpen) return;
    const before = connection.channels.get(message.topic);
    if (before) closeChannel(before, context);
    connection.channels.set(message.topic, channel);
    channel.reply(message.ref, "ok", response);
    enter(channel, prepared, context);
  } catch (cause) {
    const reason = explain(cause);
    if (reason.includes("RateLimitReached")) context.journal.note(`a channel was refused: ${reason}`);
    connection.reply(message, "error", { reason });
  }
}

async function openChannel(connection: Connection, message: Message, context: Context): Promise<Channel> {
  const { config: limits, rights } = context;
  const { topic, joinRef, ref } = message;
  const name = nameOf(topic);
  if (!isGoodName(name)) throw new JoinRefusedError("TopicNameRequired: You must provide a topic name");
  if (!connection.joins.take())
    throw new JoinRefusedError("ClientJoinRateLimitReached: Too many joins per second");
  if (!connection.channels.has(topic) && connection.channels.size >= limits.maxChannelsPerClient)
    throw new JoinRefusedError("ChannelRateLimitReached: Too many channels");
  const config = readJoinConfig(message.payload);
  requireModesty(config);
  const identity = await whoJoins(connection, config, context);
  const allowed = config.private ? await rights.of(name, identity) : OPEN_RIGHTS;
  if (!allowed.broadcast.read && !allowed.presence.read) throw new JoinRefusedError(noRight(name));
  return new Channel(connection, topic, joinRef ?? ref, config, identity, allowed, limits);
}

/** What each change is held against, and what everyone on the list is sent, has an end. */
function requireModesty({ changes, presenceKey }: JoinConfig): void {
  if (changes.length > MOST_WISHES)
    throw new JoinRefusedError(`More than ${MOST_WISHES} postgres_changes in one channel`);
  if (Buffer.byteLength(presenceKey ?? "") > LONGEST_NAME)
    throw new JoinRefusedError(`The presence key is longer than ${LONGEST_NAME} bytes`);
}

async function whoJoins(
  connection: Connection,
  { accessToken }: JoinConfig,
  { verifier }: Context,
): Promise<Identity> {
  return accessToken === null || accessToken.startsWith("sb_")
    ? connection.identity
    : identify(verifier, accessToken);
}

export function noRight(name: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`;
}

/** Wishes are looked into before the reply: whoever is told "subscribed" misses nothing from then on. */
export async function prepareChanges(
  config: JoinConfig,
  identity: Identity,
  { changes }: Context,
): Promise<Prepared> {
  if (config.changes.length === 0) return { wishes: [], problems: [] };
  if (!changes) return { wishes: [], problems: ["The database tells no changes"] };
  return changes.prepare(config.changes, identity.role);
}

function enter(channel: Channel, prepared: Prepared, context: Context): void {
  context.rooms.enter(channel.room, channel);
  followChanges(channel, prepared, context);
  if (channel.seesPresence) sendPresenceState(channel, context);
}

export function followChanges(channel: Channel, { wishes, problems }: Prepared, { changes }: Context): void {
  changes?.follow(channel, wishes);
  for (const problem of problems) channel.tell("postgres_changes", "error", problem);
  if (wishes.length > 0 && problems.length === 0)
    channel.tell("postgres_changes", "ok", "Subscribed to PostgreSQL");
}

export function sendPresenceState(channel: Channel, { presence }: Context): void {
  channel.pushJson("presence_state", presence.state(channel.room));
}

function explain(cause: unknown): string {
  return cause instanceof JoinRefusedError || cause instanceof TokenRefusedError
    ? cause.message
    : DATABASE_AWAY;
}
