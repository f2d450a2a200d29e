import { createClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import type { Database } from "#supabase/database.types.ts";
import type { MessageRow } from "./chat-message.ts";
import { createRoom } from "./room.ts";

const ANA = "a";
const message = {
  id: "m",
  user_id: "b",
  username: "Ben",
  message: "hello",
  created_at: "2026-11-21T10:43:05Z",
};

/** A room whose messages can be read, while no other request gets through. */
async function openRoom(row: Partial<MessageRow>) {
  const client = createClient<Database>("http://site.test", "key", {
    accessToken: async () => "token",
    global: {
      async fetch(url, { method } = {}) {
        if (method !== "GET") throw new TypeError("Failed to fetch");
        return Response.json(String(url).includes("/shown_chat_messages?") ? [{ ...message, ...row }] : []);
      },
    },
  });
  const room = createRoom(client, { id: ANA, username: () => "Ana" });
  room.refresh();
  await vi.waitUntil(() => room.current().status === "ready");
  return room;
}

test.each([
  ["given", {}, true],
  ["given again", { reactions: { "🔥": [ANA] } }, true],
  ["taken back", { reactions: { "🔥": [ANA] } }, false],
  ["taken back again", {}, false],
])("a reaction that could not be %s is shown as before", async (_, row, isThere) => {
  const room = await openRoom(row);
  const before = room.current().messages[0]?.reactions ?? {};
  expect((await room.react("m", "🔥", isThere))?.kind).toBe("later");
  expect(room.current().messages[0]?.reactions ?? {}).toEqual(before);
});
