import { readBytes } from "#backend/postgres/read-bytes.ts";
import { type Rooms, roomOf } from "../channels/rooms.ts";
import type { Change } from "../feed/change-feed.ts";

/** The table, or one of its daily partitions, as in hosted projects. */
const MESSAGES = /^messages(?:_|$)/;

export const isMessage = ({ schema, table }: Change) => schema === "realtime" && MESSAGES.test(table);

/**
 * Broadcasts a row of `realtime.messages`. Every process reads it from the log, so it is not published to the others.
 */
export function broadcastFromDatabase({ type, row }: Change, rooms: Rooms): void {
  if (type !== "INSERT" || row?.extension !== "broadcast" || !row.topic) return;
  const head = { event: row.event ?? "", ...(row.id && { meta: { id: row.id } }) };
  const broadcast =
    row.binary_payload == null
      ? { ...head, json: row.payload ?? "{}" }
      : { ...head, bytes: readBytes(row.binary_payload) };
  rooms.broadcast(roomOf(row.topic, row.private === "t"), broadcast);
}
