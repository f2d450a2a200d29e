import { logText, quoteScrubbed } from "#backend/log/log-text.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { identify } from "../access/identify.ts";
import { idOfRequest } from "../changes/change-spec.ts";
import type { Prepared } from "../changes/prepare-subscriptions.ts";
import { Channel, isGoodName, MAX_NAME_BYTES, nameOf } from "../channels/channel.ts";
import {
  type ChangeRequest,
  type JoinConfig,
  type ReplayRequest,
  readAccessToken,
  readJoinConfig,
} from "../protocol/join-config.ts";
import { isShort, type Message } from "../protocol/message.ts";
import { RefusedError } from "../refused-error.ts";
import type { Connection } from "../sockets/connection.ts";
import { awaitChanges, prepareLive } from "./await-changes.ts";
import type { Context } from "./context.ts";
import { closeChannel, closeWithReason, failChannel } from "./leave-channel.ts";
import { replayMessages } from "./replay-messages.ts";

const MAX_SUBSCRIPTIONS = 100;
const MAX_SUBSCRIPTIONS_BYTES = 100_000;
const NO_REPLAY = "UnableToReplayMessages";
/** The latest time JavaScript can represent; PostgreSQL can too. */
const LATEST = 8.64e15;
export const DATABASE_AWAY =
  "UnableToConnectToProject: Realtime was unable to connect to the project database";

/** A join under way. */
type Join = { connection: Connection; message: Message; channel: Channel };

/** Answers `phx_join` with the ids of the subscriptions, or with the reason for a refusal. */
export async function joinChannel(connection: Connection, message: Message, context: Context): Promise<void> {
  // The client has given up an earlier join of this topic that still waits.
  connection.waiting.delete(message.topic);
  try {
    const channel = await openChannel(connection, message, context);
    const prepared = await prepareNow(channel, context);
    if (prepared) await finishJoin({ connection, message, channel }, prepared, context);
    else joinLater({ connection, message: { ...message, payload: null }, channel }, context);
  } catch (cause) {
    refuse(connection, message, cause, context);
  }
}

/** Null for a channel that waits until its changes are streaming, if they are not yet. */
async function prepareNow(channel: Channel, context: Context): Promise<Prepared | null> {
  const { config, identity } = channel;
  const prepare = () => prepareChanges(config, identity, context);
  if (config.changesWaitMs === null || config.changes.length === 0) return prepare();
  return context.isFollowing() ? prepareLive(prepare, context) : null;
}

/** Joins a channel that waits, while the connection's other messages are handled. */
function joinLater(join: Join, context: Context): void {
  const { connection, message, channel } = join;
  const { topic, config, identity } = channel;
  const isWanted = () => connection.isOpen && connection.waiting.get(topic) === channel;
  const endWaiting = () => isWanted() && connection.waiting.delete(topic);
  connection.waiting.set(topic, channel);
  const prepare = () => prepareChanges(config, identity, context);
  awaitChanges({ prepare, waitMs: config.changesWaitMs ?? 0, isWanted }, context)
    .then(
      (prepared) => {
        if (endWaiting() && prepared) return finishJoin(join, prepared, context);
      },
      (cause) => {
        if (endWaiting()) throw cause;
      },
    )
    .catch((cause) => refuse(connection, message, cause, context));
}

async function finishJoin(
  { connection, message, channel }: Join,
  prepared: Prepared,
  context: Context,
): Promise<void> {
  // The client disconnected meanwhile, and its channels have been cleaned up already.
  if (!connection.isOpen) return;
  const { changes, replicationReady, replay: asked } = channel.config;
  const before = connection.channels.get(message.topic);
  if (before) closeChannel(before, context);
  connection.channels.set(message.topic, channel);
  channel.reply(message.ref, "ok", { postgres_changes: changes.map(withId) });
  enter(channel, prepared, context);
  if (replicationReady) notifyOfReplication(channel, context);
  if (asked) await replay(channel, asked, context);
}

function withId(request: ChangeRequest) {
  const { isTopic: _, ...asked } = request;
  return { ...asked, id: idOfRequest(request) };
}

function refuse(connection: Connection, message: Message, cause: unknown, context: Context): void {
  const reason = explain(cause);
  if (reason.includes("RateLimitReached"))
    context.journal.note(logText`a channel was refused: ${quoteScrubbed(reason)}`);
  connection.reply(message, "error", { reason });
}

async function openChannel(connection: Connection, message: Message, context: Context): Promise<Channel> {
  const { config: limits, readRights } = context;
  const { topic, joinRef, ref } = message;
  const name = nameOf(topic);
  if (!isGoodName(name)) throw new RefusedError("TopicNameRequired: You must provide a topic name");
  if (!connection.joins.take())
    throw new RefusedError("ClientJoinRateLimitReached: Too many joins per second");
  const topics = new Set([...connection.channels.keys(), ...connection.waiting.keys()]);
  if (!topics.has(topic) && topics.size >= limits.maxChannelsPerClient)
    throw new RefusedError("ChannelRateLimitReached: Too many channels");
  const config = readJoinConfig(message.payload, name);
  requireWithinLimits(config);
  requireReplayable(config);
  const identity = await identifyJoiner(connection, message, context);
  const allowed = await readRights({ name, isPrivate: config.private }, identity);
  const mayRead = allowed.broadcast.read || (allowed.presence.read && !config.replay);
  if (!mayRead) throw new RefusedError(noRight(name));
  return new Channel(connection, topic, joinRef ?? ref, config, identity, allowed, limits);
}

/** Limits the number and size of subscriptions, and the presence key that everyone in the room gets. */
function requireWithinLimits({ changes, presenceKey }: JoinConfig): void {
  if (changes.length > MAX_SUBSCRIPTIONS)
    throw new RefusedError(`More than ${MAX_SUBSCRIPTIONS} postgres_changes in one channel`);
  if (!isShort(changes, MAX_SUBSCRIPTIONS_BYTES))
    throw new RefusedError(
      `The postgres_changes of one channel are longer than ${MAX_SUBSCRIPTIONS_BYTES} bytes`,
    );
  if (Buffer.byteLength(presenceKey ?? "") > MAX_NAME_BYTES)
    throw new RefusedError(`The presence key is longer than ${MAX_NAME_BYTES} bytes`);
}

function requireReplayable({ replay, private: isPrivate }: JoinConfig): void {
  if (!replay) return;
  if (!isPrivate) throw new RefusedError(`${NO_REPLAY}: Replay is not allowed for public channels`);
  if (!(replay.since >= 0 && replay.since <= LATEST) || Number.isNaN(replay.limit))
    throw new RefusedError(`${NO_REPLAY}: Replay params are not valid`);
}

async function identifyJoiner(
  connection: Connection,
  { payload }: Message,
  { verifier }: Context,
): Promise<Identity> {
  const accessToken = readAccessToken(payload);
  return accessToken === null ? connection.identity : identify(verifier, accessToken);
}

export function noRight(name: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`;
}

/** Subscriptions are validated before the reply: no change after "subscribed" is missed. */
export async function prepareChanges(
  config: JoinConfig,
  identity: Identity,
  { changes }: Context,
): Promise<Prepared> {
  if (config.changes.length === 0) return { subscriptions: [], problems: [] };
  if (!changes) return { subscriptions: [], problems: ["The database tells no changes"] };
  return changes.prepare(config.changes, identity.role);
}

async function replay(channel: Channel, request: ReplayRequest, context: Context): Promise<void> {
  try {
    await replayMessages(channel, request, context.database);
  } catch {
    failChannel(channel, `${NO_REPLAY}: Realtime was unable to replay messages`, context);
  }
}

function enter(channel: Channel, prepared: Prepared, context: Context): void {
  if (channel.config.replay) channel.hold();
  context.rooms.enter(channel.room, channel);
  followChanges(channel, prepared, context);
  if (channel.receivesPresence) sendPresenceState(channel, context);
}

export function followChanges(
  channel: Channel,
  { subscriptions, problems: invalid }: Prepared,
  { changes }: Context,
): void {
  const problems = [...invalid, ...(changes?.follow(channel, subscriptions) ?? [])];
  for (const problem of problems) channel.sendSystem("postgres_changes", "error", problem);
  if (subscriptions.length > 0 && problems.length === 0)
    channel.sendSystem("postgres_changes", "ok", "Subscribed to PostgreSQL");
}

export function sendPresenceState(channel: Channel, { presence }: Context): void {
  channel.pushJson("presence_state", presence.state(channel.room));
}

function explain(cause: unknown): string {
  return cause instanceof RefusedError ? cause.message : DATABASE_AWAY;
}

const LOOK_EVERY_MS = 500;

/** Notifies a channel once messages from the database arrive, or closes it on timeout. */
function notifyOfReplication(channel: Channel, context: Context): void {
  const deadline = performance.now() + context.config.replicationTimeoutMs;
  look();

  function look(): void {
    if (channel.connection.channels.get(channel.topic) !== channel) return;
    if (context.isFollowing()) channel.sendSystem("system", "ok", "Replication connection established");
    else if (performance.now() < deadline) setTimeout(look, LOOK_EVERY_MS).unref();
    else closeWithReason(channel, "Replication connection was not established in time", context);
  }
}
