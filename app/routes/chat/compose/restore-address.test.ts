import { expect, test } from "vitest";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { restoreAddress } from "./restore-address.ts";

const SHOWN = { id: "m1", user_id: "ann", username: "Ann" } as ChatMessage;
const OLDER = { id: "m0", user_id: "zoe", username: "Zoe" } as ChatMessage;

/** What is restored where only one message is shown, and others are read so. */
function restore(more: { reply_to?: string; mentions?: string[] }, read: () => Promise<ChatMessage[]>) {
  const room = { current: () => ({ messages: [SHOWN] }), readMessages: read } as unknown as Room;
  const throwOnError = async () => ({
    data: (await read()).map(({ user_id: id, username }) => ({ id, username })),
  });
  const query = { select: () => query, in: () => query, order: () => query, throwOnError };
  return restoreAddress({ from: () => query } as unknown as SessionClient, room, more);
}

const all = async () => [OLDER];
const away = () => Promise.reject(new TypeError("Failed to fetch"));
const ZOE = { id: "zoe", username: "Zoe" };

test("a reply and mentions are restored from the shown messages, others are read", async () => {
  const shown = await restore({ reply_to: "m1", mentions: ["ann"] }, away);
  expect(shown).toEqual({ reply: SHOWN, mentions: [{ id: "ann", username: "Ann" }], isWhole: true });
  expect(await restore({ reply_to: "m0", mentions: ["zoe"] }, all)).toEqual({
    reply: OLDER,
    mentions: [ZOE],
    isWhole: true,
  });
});

test("what is gone is left out, and what could not be read is said to be missing", async () => {
  const nobody = { reply: null, mentions: [] };
  const gone = async () => [];
  expect(await restore({ reply_to: "m0", mentions: ["zoe"] }, gone)).toEqual({ ...nobody, isWhole: true });
  expect(await restore({ reply_to: "m0" }, away)).toEqual({ ...nobody, isWhole: false });
  expect(await restore({ mentions: ["zoe"] }, away)).toEqual({ ...nobody, isWhole: false });
});
