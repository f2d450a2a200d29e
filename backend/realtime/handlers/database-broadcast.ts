import { type Rooms, roomOf } from "../channels/rooms.ts";
import type { Change } from "../feed/change-feed.ts";

const HEX = "\\x";
/** The table, or a day's part of it, as a hosted project has them. */
const MESSAGES = /^messages(?:_|$)/;

export const isMessage = ({ schema, table }: Change) => schema === "realtime" && MESSAGES.test(table);

/** A row of `realtime.messages`: every process reads it from the log, so it is not published to the others. */
export function broadcastFromDatabase({ type, row }: Change, rooms: Rooms): void {
  if (type !== "INSERT" || row?.extension !== "broadcast" || !row.topic) return;
  const head = { event: row.event ?? "", ...(row.id && { meta: { id: row.id } }) };
  const broadcast =
    row.binary_payload == null
      ? { ...head, json: row.payload ?? "{}" }
      : { ...head, bytes: Buffer.from(row.binary_payload.slice(HEX.length), "hex") };
  rooms.broadcast(roomOf(row.topic, row.private === "t"), broadcast);
}
