import type { Database, Row } from "#backend/postgres/database.ts";
import type { Channel } from "../channels/channel.ts";
import { encodeBroadcast } from "../protocol/encode-frame.ts";
import type { ReplayRequest } from "../protocol/join-config.ts";
import type { UserBroadcast } from "../protocol/message.ts";

const MAX_MESSAGES = 25;

// Databases created by older versions of the original service have no column for bytes. All messages of one transaction
// have the same time: their order is that of its commands, and for those of one command where they are stored.
const SINCE = `
  select id, event, payload, encode((to_jsonb(replayed) ->> 'binary_payload')::bytea, 'base64') as bytes
  from (
    select *, cmin::text::bigint as command, ctid as place from realtime.messages
    where topic = $1 and private and extension = 'broadcast'
      and inserted_at >= to_timestamp($2::numeric / 1000)::timestamp
    order by inserted_at desc, command desc, place desc limit $3::int
  ) as replayed
  order by inserted_at, command, place`;

/** Reads a private channel's latest messages since a given time, in chronological order. */
async function readMessages(
  database: Database,
  name: string,
  { since, limit }: ReplayRequest,
): Promise<UserBroadcast[]> {
  const values = [name, String(since), String(Math.min(Math.max(limit, 1), MAX_MESSAGES))];
  const rows = await database.batch([
    { text: "select set_config('role', 'service_role', true)", values: [] },
    { text: SINCE, values },
  ]);
  return rows.map(toBroadcast);
}

function toBroadcast({ id, event, payload, bytes }: Row): UserBroadcast {
  const head = { event: event ?? "", meta: { replayed: true, id: id ?? "" } };
  return bytes == null
    ? { ...head, json: payload ?? "{}" }
    : { ...head, bytes: Buffer.from(bytes, "base64") };
}

/**
 * Replays past messages, then sends those that arrived during the replay, so that none is missed or delivered twice.
 */
export async function replayMessages(
  channel: Channel,
  request: ReplayRequest,
  database: Database,
): Promise<void> {
  const replayed = await readMessages(database, channel.name, request);
  for (const broadcast of replayed) {
    const frame = encodeBroadcast(channel.version, channel.topic, broadcast);
    if (frame) channel.send(frame);
  }
  channel.goLive(replayed.map(({ meta }) => meta?.id ?? ""));
}
