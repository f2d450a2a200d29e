import { formatDate } from "#domain/dates.ts";
import type { ChatMessage } from "./chat-message.ts";

/** A message and how it stands among its neighbours. */
export type MessageRow = {
  message: ChatMessage;
  /** The first of its day, which is named above it. */
  startsDay: boolean;
  /** The first of several by one person in a row: the name stands above it alone. */
  startsGroup: boolean;
};

/** After so long, in milliseconds, even the same person is named again. */
const PAUSE = 5 * 60 * 1000;

/** The messages with their days and groups, in the reader's own time zone. */
export function arrangeMessages(messages: readonly ChatMessage[], timeZone: string): MessageRow[] {
  let before: (ChatMessage & { day: string; time: number }) | undefined;
  return messages.map((message) => {
    const time = Date.parse(message.created_at);
    const day = formatDate(time, timeZone);
    const startsDay = day !== before?.day;
    const isSame = before?.user_id === message.user_id && before.username === message.username;
    const startsGroup = startsDay || !isSame || time - (before?.time ?? 0) > PAUSE;
    before = { ...message, day, time };
    return { message, startsDay, startsGroup };
  });
}
